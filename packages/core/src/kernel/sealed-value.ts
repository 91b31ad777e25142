import { createHmac } from 'node:crypto';
import { digestsEqual } from './secret.js';

/**
 * Seals values that pass through a store we do not trust: whoever can write there can neither forge a value, nor
 * move one to another place, nor make it outlive its time. Sealed values can be read by anybody.
 */
export class ValueSealer {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** @param place what the value is stored under; it opens only there. */
  seal(place: string, value: object, ttlSeconds: number): string {
    const payload = JSON.stringify({ value, expiresAt: Date.now() + ttlSeconds * 1000 });
    return `${this.#mac(place, payload)}.${payload}`;
  }

  /** The value, or undefined when the text was not sealed by us, for this place, or its time has passed. */
  open(place: string, sealed: string): unknown {
    const dot = Math.max(sealed.indexOf('.'), 0);
    const payload = sealed.slice(dot + 1);
    const expected = Buffer.from(this.#mac(place, payload));
    if (!digestsEqual(Buffer.from(sealed.slice(0, dot)), expected)) return undefined;
    const { value, expiresAt } = JSON.parse(payload) as { value: unknown; expiresAt: number };
    return expiresAt > Date.now() ? value : undefined;
  }

  #mac(place: string, payload: string): string {
    return createHmac('sha256', this.#key).update(`${place}\n${payload}`).digest('base64url');
  }
}
