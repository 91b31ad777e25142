import { useKeys } from './keys.js';

/** The main control of each record on the page, in order. */
const controls = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main [data-record] [data-main]'),
];

/** Moves the focus among the records. Without a focused record it goes to the first or the last. */
function move(step: 1 | -1): void {
  const all = controls();
  const at = all.findIndex((each) => each.closest('[data-record]')?.contains(document.activeElement));
  const next =
    at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
  all[next]?.focus();
  all[next]?.closest('[data-record]')?.scrollIntoView({ block: 'nearest' });
}

/** Moves through the records of the page with the keys `j` and `k` or the arrows. */
export function useRowKeys(): void {
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
  });
}

/** Returns the id of the record that has the focus, or else of the first one. */
export function currentRecord(): string | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-record]');
  return (focused ?? document.querySelector<HTMLElement>('main [data-record]'))?.dataset.record;
}
