import { createHmac } from 'node:crypto';
import type { SharedClock } from './clock.js';
import { digestsEqual } from './secret.js';

/**
 * Signs values that pass through a store we do not trust: a client that can write there can neither forge a
 * value, nor use one for another purpose, nor extend its lifetime. The values are not encrypted: any client
 * that can read the store can read them.
 */
export class ValueSigner {
  readonly #keys: readonly [Buffer, ...Buffer[]];
  readonly #clock: SharedClock;

  /**
   * @param keys the first key signs; any of them verifies.
   * @param clock dates the values: one that all replicas share, because one verifies what another has signed.
   */
  constructor(keys: readonly [Buffer, ...Buffer[]], clock: SharedClock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Returns the value with its signature. @param place the key the value is stored under; it verifies only
   * there.
   */
  async sign(place: string, value: object, ttlSeconds: number): Promise<string> {
    const payload = JSON.stringify({ value, expiresAt: (await this.#clock.now()) + ttlSeconds * 1000 });
    return `${macOf(this.#keys[0], place, payload)}.${payload}`;
  }

  /** Returns the value; undefined if the text was not signed by us, is for another place, or has expired. */
  async verify(place: string, signed: string): Promise<unknown> {
    const dot = Math.max(signed.indexOf('.'), 0);
    const payload = signed.slice(dot + 1);
    const mac = Buffer.from(signed.slice(0, dot));
    const isOurs = this.#keys.some((key) => digestsEqual(mac, Buffer.from(macOf(key, place, payload))));
    if (!isOurs) return undefined;
    const { value, expiresAt } = JSON.parse(payload) as { value: unknown; expiresAt: number };
    return expiresAt > (await this.#clock.now()) ? value : undefined;
  }
}

const macOf = (key: Buffer, place: string, payload: string): string =>
  createHmac('sha256', key).update(`${place}\n${payload}`).digest('base64url');
