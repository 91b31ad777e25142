import { useLayoutEffect, useRef } from 'preact/hooks';
import { tabStorage } from '../tab-storage.js';
import { Store } from './store.js';

/** What a key does: the key as `KeyboardEvent.key`, or two keys as `g u`. */
export type KeyMap = Readonly<Record<string, () => void>>;

/** Two keys of a sequence come within this time. */
const SEQUENCE_MS = 1500;
const KEY = 'latchkey.console.keys';

/** Single-key shortcuts can be turned off (WCAG 2.2, 2.1.4). */
const preference = new Store({ isOn: tabStorage.getItem(KEY) !== 'off' });
export const useKeysOn = (): boolean => preference.use().isOn;
export function turnKeys(isOn: boolean): void {
  tabStorage.setItem(KEY, isOn ? 'on' : 'off');
  preference.set({ isOn });
}

const maps = new Set<{ current: KeyMap }>();
/** The entry of a `KeyMap` for Ctrl K, which is ⌘ K on a Mac: there, Ctrl K edits text. */
export const COMMAND_KEY = 'Command k';
export const isMac = /Mac|iP(ad|hone)/.test(navigator.platform);

let prefix = '';
let pressedAt = 0;

/** Handles keys while the component is shown. The last one that handles a key wins. */
export function useKeys(keys: KeyMap): void {
  const map = useRef(keys);
  map.current = keys;
  // A key that is pressed as soon as the records are shown already moves among them.
  useLayoutEffect(() => {
    maps.add(map);
    return () => void maps.delete(map);
  }, []);
}

/** Works while the user types, too. */
addEventListener('keydown', (event) => {
  if (event.defaultPrevented || !isCommand(event) || !preference.current.isOn || isDialogOpen()) return;
  const handler = [...maps].toReversed().find(({ current }) => current[COMMAND_KEY])?.current[COMMAND_KEY];
  if (!handler) return;
  event.preventDefault();
  handler();
});

const isCommand = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event) || isDialogOpen()) return;
  if (!preference.current.isOn && event.key.length === 1) return;
  const isFollowing = prefix !== '' && event.timeStamp - pressedAt < SEQUENCE_MS;
  const pressed = isFollowing ? `${prefix} ${event.key}` : event.key;
  const all = [...maps].map(({ current }) => current).toReversed();
  const handler = all.find((map) => Object.hasOwn(map, pressed))?.[pressed];
  const starts =
    !isFollowing && all.some((map) => Object.keys(map).some((each) => each.startsWith(`${pressed} `)));
  prefix = starts ? event.key : '';
  pressedAt = event.timeStamp;
  if (!handler) return;
  event.preventDefault();
  handler();
});

/** Reports whether a key belongs to a control: text, or the choice of a list. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('textarea, select, input:not([type=checkbox])')) return true;
  // Enter and Space press the button or follow the link that has the focus.
  return (key === 'Enter' || key === ' ') && target.closest('a, button, summary, input') !== null;
}
