import { createHmac } from 'node:crypto';
import type { SharedClock } from './clock.js';
import { digestsEqual } from './secret.js';

/**
 * Seals values that pass through a store we do not trust: whoever can write there can neither forge a value, nor
 * move one to another place, nor make it outlive its time. Sealed values can be read by anybody.
 */
export class ValueSigner {
  readonly #keys: readonly [Buffer, ...Buffer[]];
  readonly #clock: SharedClock;

  /**
   * @param keys the first seals; what any of them has signed can be opened.
   * @param clock dates the values: one that all replicas share, because one opens what another has signed.
   */
  constructor(keys: readonly [Buffer, ...Buffer[]], clock: SharedClock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** @param place what the value is stored under; it opens only there. */
  async sign(place: string, value: object, ttlSeconds: number): Promise<string> {
    const payload = JSON.stringify({ value, expiresAt: (await this.#clock.now()) + ttlSeconds * 1000 });
    return `${macOf(this.#keys[0], place, payload)}.${payload}`;
  }

  /** The value, or undefined when the text was not signed by us, for this place, or its time has passed. */
  async verify(place: string, signed: string): Promise<unknown> {
    const dot = Math.max(signed.indexOf('.'), 0);
    const payload = signed.slice(dot + 1);
    const seal = Buffer.from(signed.slice(0, dot));
    const isOurs = this.#keys.some((key) => digestsEqual(seal, Buffer.from(macOf(key, place, payload))));
    if (!isOurs) return undefined;
    const { value, expiresAt } = JSON.parse(payload) as { value: unknown; expiresAt: number };
    return expiresAt > (await this.#clock.now()) ? value : undefined;
  }
}

const macOf = (key: Buffer, place: string, payload: string): string =>
  createHmac('sha256', key).update(`${place}\n${payload}`).digest('base64url');
