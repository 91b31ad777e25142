import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { paletteMessages as messages } from '../../../messages/en/console/shell.js';
import { Dialog } from '../../ui/dialog.js';
import { numberText } from '../format.js';
import { showPalette } from '../overlay-store.js';
import { commandsFor, useFoundRecords, type PaletteItem } from '../palette-items.js';
import { useRights } from '../session-context.js';
import { Icon } from './icons.js';

/** The service is asked once typing pauses. */
const PAUSE_MS = 200;

/** Finds views, actions and records by a text, and opens them: a combobox with a list (ARIA Authoring Practices, Combobox). */
export function Palette(): JSX.Element {
  const { may } = useRights();
  const [typed, setTyped] = useState('');
  const [activeKey, setActiveKey] = useState<string>();
  const id = useId();
  const text = typed.trim();
  const records = useFoundRecords(useAfterPause(text), may);
  const items = [...commandsFor(text, may), ...records.items];
  const active = items.find(({ key }) => key === activeKey) ?? items[0];
  const move = (step: number): void => {
    const next = active ? items.indexOf(active) + step : 0;
    setActiveKey(items.at(next % items.length)?.key);
  };
  const choose = (item: PaletteItem | undefined): void => {
    if (!item) return;
    showPalette(false);
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) choose(active);
    else move(step);
  };
  const onType = (now: string): void => {
    setTyped(now);
    setActiveKey(undefined);
  };
  return (
    <Dialog title={messages.title} onClose={() => showPalette(false)}>
      <div class="palette">
        <Field id={id} items={items} active={active} typed={typed} onType={onType} onKeyDown={onKeyDown} />
        <p id={`${id}-hint`} class="hint">
          {messages.hint}
        </p>
        <Options id={id} items={items} active={active} choose={choose} point={setActiveKey} />
        <p class="palette-status quiet" role="status">
          {statusText(items.length, records.isSearching)}
        </p>
      </div>
    </Dialog>
  );
}

function statusText(count: number, isSearching: boolean): string {
  if (isSearching) return messages.searching;
  return count === 0 ? messages.none : messages.count(numberText(count));
}

/** Returns a text once it has not changed for a moment. */
function useAfterPause(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

interface ListedItems {
  id: string;
  items: readonly PaletteItem[];
  active: PaletteItem | undefined;
}

function Field({
  id,
  items,
  active,
  typed,
  onType,
  onKeyDown,
}: ListedItems & {
  typed: string;
  onType: (now: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}): JSX.Element {
  return (
    <input
      type="text"
      role="combobox"
      class="palette-input"
      aria-label={messages.title}
      aria-describedby={`${id}-hint`}
      aria-expanded={items.length > 0}
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={active && `${id}-${items.indexOf(active)}`}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      enterkeyhint="go"
      data-focus
      value={typed}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The items by group. The input keeps the focus and names the active one. */
function Options({
  id,
  items,
  active,
  choose,
  point,
}: ListedItems & { choose: (item: PaletteItem) => void; point: (key: string) => void }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const groups = [...new Set(items.map(({ group }) => group))];
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active?.key]);
  return (
    <div id={`${id}-list`} ref={list} class="palette-list" role="listbox" aria-label={messages.results}>
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <div class="palette-group" aria-hidden="true">
            {group}
          </div>
          {items.map((item, index) =>
            item.group === group ? (
              <div
                key={item.key}
                id={`${id}-${index}`}
                class="palette-item"
                role="option"
                aria-selected={item === active}
                onMouseMove={() => point(item.key)}
                // The input keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(item)}
              >
                <Icon name={item.icon} />
                <span class="palette-name">{item.name}</span>
                {item.detail !== undefined && item.detail !== item.name && (
                  <span class="palette-detail quiet">{item.detail}</span>
                )}
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}
