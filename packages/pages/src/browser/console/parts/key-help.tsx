import type { JSX } from 'preact';
import { keyMessages as messages, shellMessages as shell } from '../../../messages/en/console/shell.js';
import { Dialog } from '../../ui/dialog.js';
import { isMac, turnKeys, useKeysOn } from '../keys.js';
import { DESTINATIONS } from '../navigation.js';
import { showKeys } from '../overlay-store.js';
import { useRights } from '../session-context.js';

type Line = readonly [text: string, ...keys: readonly string[]];

const EVERYWHERE: readonly Line[] = [
  [messages.palette, isMac ? '⌘' : messages.control, 'K'],
  [messages.search, '/'],
  [messages.help, '?'],
  [messages.back, 'Esc'],
];
const IN_LISTS: readonly Line[] = [
  [messages.move, 'j', messages.or, 'k'],
  [messages.open, 'Enter'],
  [messages.turn, 'n', messages.or, 'p'],
  [messages.select, 'x'],
];
const DECISIONS: readonly Line[] = [
  [messages.approve, 'a'],
  [messages.reject, 'r'],
];

/** The list of all keys, and a switch that turns off those of a single letter. */
export function KeyHelp(): JSX.Element {
  const { may } = useRights();
  const places = DESTINATIONS.filter(({ needs }) => may(needs)).map(({ name, key }): Line => [
    name,
    'g',
    messages.then,
    key,
  ]);
  return (
    <Dialog title={messages.title} onClose={() => showKeys(false)}>
      <div class="key-columns">
        <div>
          <Keys title={messages.anywhere} lines={EVERYWHERE} />
          <Keys title={messages.lists} lines={IN_LISTS} />
          <Keys title={messages.approvals} lines={DECISIONS} />
        </div>
        <Keys title={messages.goTo} lines={places} />
      </div>
      <KeySwitch />
      <div class="button-row">
        <button type="button" class="button secondary" data-focus onClick={() => showKeys(false)}>
          {shell.close}
        </button>
      </div>
    </Dialog>
  );
}

function KeySwitch(): JSX.Element {
  const isOn = useKeysOn();
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => turnKeys(currentTarget.checked)}
      />
      <span>
        {messages.enabled}
        <span class="hint">{messages.enabledHint}</span>
      </span>
    </label>
  );
}

const WORDS: readonly string[] = [messages.then, messages.or];

const Keys = ({ title, lines }: { title: string; lines: readonly Line[] }): JSX.Element => (
  <section class="keys">
    <h3>{title}</h3>
    <dl>
      {lines.map(([text, ...keys]) => (
        <div key={text}>
          <dt>{text}</dt>
          <dd>
            {keys.map((key) =>
              WORDS.includes(key) ? <span key={key}>{key}</span> : <kbd key={key}>{key}</kbd>,
            )}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
