import type { JSX } from 'preact';
import { recordMessages as messages } from '../../../messages/en/console/shell.js';
import { numberText } from '../format.js';
import type { Selection } from '../selection.js';

interface BulkBarProps<Item> {
  selection: Selection<Item>;
  actions: readonly { label: string; isDanger?: boolean; run: (items: readonly Item[]) => void }[];
}

/** The actions on the selected records of a list. */
export const BulkBar = <Item extends { id: string }>({
  selection,
  actions,
}: BulkBarProps<Item>): JSX.Element => {
  const { chosen, clear } = selection;
  return (
    <div class={`bulk ${chosen.length > 0 ? 'on' : ''}`}>
      <span role="status">{chosen.length > 0 && messages.selected(numberText(chosen.length))}</span>
      {chosen.length > 0 && (
        <>
          {actions.map(({ label, isDanger, run }) => (
            <button
              key={label}
              type="button"
              class={`button small ${isDanger ? 'danger' : 'secondary'}`}
              onClick={() => run(chosen)}
            >
              {label}
            </button>
          ))}
          <button type="button" class="button quiet small" onClick={clear}>
            {messages.clear}
          </button>
        </>
      )}
    </div>
  );
};
