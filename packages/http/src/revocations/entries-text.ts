import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RevocationEntry } from '@latchkey/core';

/** Entries that are serialised without a pause. */
const SLICE = 5_000;

const texts = new WeakMap<readonly RevocationEntry[], Promise<readonly Buffer[]>>();

/**
 * Returns the JSON of the entries without the brackets of the array, in parts. It is made once for all readers of these
 * entries; other requests are served between two parts.
 */
export function textOf(entries: readonly RevocationEntry[]): Promise<readonly Buffer[]> {
  const text = texts.get(entries) ?? serialise(entries);
  texts.set(entries, text);
  return text;
}

async function serialise(entries: readonly RevocationEntry[]): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  for (let start = 0; start < entries.length; start += SLICE) {
    if (start > 0) await nextTurn();
    const text = JSON.stringify(entries.slice(start, start + SLICE)).slice(1, -1);
    parts.push(Buffer.from(start > 0 ? `,${text}` : text));
  }
  return parts;
}
