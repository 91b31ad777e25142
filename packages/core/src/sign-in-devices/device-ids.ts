import { createHmac, randomBytes } from 'node:crypto';
import { bytesOfBase64url } from '../kernel/base64url.js';
import { digestsEqual } from '../kernel/secret.js';

/** 128 bits: the id of another device cannot be guessed. */
const ID_BYTES = 16;
const SIGNED_ID = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * Creates the ids by which browsers are recognized, and signs them: a client can keep an id or drop it, but not choose one.
 * They grant nothing.
 */
export class DeviceIds {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /** @param keys the first signs; ids that any of them has signed are recognized. */
  constructor(keys: readonly [Buffer, ...Buffer[]]) {
    this.#keys = keys;
  }

  /** Returns a new id. */
  create(): string {
    return randomBytes(ID_BYTES).toString('base64url');
  }

  /** Returns the id with its signature: the value of a cookie. */
  sign(id: string): string {
    return `${id}.${macOf(this.#keys[0], id).toString('base64url')}`;
  }

  /** Returns the id of a signed value, or undefined if it was not signed here. */
  verify(signed: string): string | undefined {
    const [, id = '', mac = ''] = SIGNED_ID.exec(signed) ?? [];
    const given = bytesOfBase64url(mac);
    if (!given) return undefined;
    return this.#keys.some((key) => digestsEqual(given, macOf(key, id))) ? id : undefined;
  }
}

const macOf = (key: Buffer, id: string): Buffer => createHmac('sha256', key).update(`device\n${id}`).digest();
