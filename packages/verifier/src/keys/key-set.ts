import { base64url, importJWK, type CryptoKey, type JWK } from 'jose';
import type { VerifierClock } from '../clock.js';
import { unauthorized, unavailable } from '../errors.js';
import { requestJson, type Fetch } from '../http/request-json.js';
import { isObject } from '../json.js';
import type { VerifierLogger } from '../logger.js';
import { quietInterval } from '../timers.js';

/** RFC 7518 section 3.3: RS256 keys have at least 2048 bits. */
const LEAST_BYTES = 256;
/** FIPS 186-5 section 5.1: the public exponent is odd and above 65536. With 1, anyone could sign. */
const LEAST_EXPONENT = 65_537;

/** A key of a key set, with the text it was read from. */
interface PublishedKey {
  id: string;
  text: string;
  key: CryptoKey;
}

/** Returns the members of a key set (RFC 7517 section 5). @throws TypeError if it is none. */
function membersOf(jwks: unknown): Record<string, unknown>[] {
  const keys = isObject(jwks) ? jwks.keys : undefined;
  if (!Array.isArray(keys)) throw new TypeError('the key set is no object with a list "keys"');
  return keys.filter(isObject);
}

/** Reads a member of a key set. Returns undefined without an id, and for a key that is unfit for RS256. */
async function readKey(member: Record<string, unknown>): Promise<PublishedKey | undefined> {
  const { kid, kty, n, e } = member;
  if (typeof kid !== 'string' || kty !== 'RSA' || typeof n !== 'string' || typeof e !== 'string')
    return undefined;
  try {
    if (!isStrong(base64url.decode(n), base64url.decode(e))) return undefined;
    const jwk: JWK = { kty, n, e };
    return { id: kid, text: `${n}.${e}`, key: (await importJWK(jwk, 'RS256')) as CryptoKey };
  } catch {
    return undefined;
  }
}

function isStrong(modulus: Uint8Array, exponent: Uint8Array): boolean {
  const value = exponent.reduce((sum, byte) => sum * 256 + byte, 0);
  const hasLength =
    modulus.length > LEAST_BYTES || (modulus.length === LEAST_BYTES && (modulus[0] ?? 0) >= 128);
  return hasLength && value >= LEAST_EXPONENT && value % 2 === 1;
}

const TIMEOUT_MS = 3_000;
/** A withdrawn key is accepted for at most this long. */
const REFRESH_MS = 300_000;
/** An unknown key causes no other fetch for this long after a fetch, so forged tokens cause no load. */
const COOLDOWN_MS = 30_000;
/** The same after a fetch that failed. */
const RETRY_MS = 1_000;

/**
 * The issuer's public keys, refreshed in the background. Known keys keep working while the issuer is unavailable. An
 * unknown key is fetched.
 */
export class KeySet {
  readonly #deps;
  readonly #stopRefreshing: () => void;
  #keys = new Map<string, PublishedKey>();
  #fetching: Promise<void> | undefined;
  #fetchedAt: number | undefined;
  #failedAt: number | undefined;

  constructor(deps: {
    readonly url: string;
    readonly fetch: Fetch;
    readonly clock: VerifierClock;
    readonly logger: VerifierLogger;
  }) {
    this.#deps = deps;
    this.#stopRefreshing = quietInterval(() => void this.#refresh(), REFRESH_MS);
  }

  get size(): number {
    return this.#keys.size;
  }

  /** Reports whether a key that once verified a token is still published. */
  isCurrent(keyId: string, key: CryptoKey): boolean {
    return this.#keys.get(keyId)?.key === key;
  }

  /** Returns a key. @throws VerificationError `unauthorized`; `service_unavailable` if an unknown key cannot be fetched. */
  async find(keyId: string | undefined): Promise<CryptoKey> {
    if (keyId === undefined) throw unauthorized();
    const known = this.#keys.get(keyId);
    if (known) return known.key;
    if (this.#isWithin(COOLDOWN_MS, this.#fetchedAt)) throw unauthorized();
    if (this.#isWithin(RETRY_MS, this.#failedAt)) throw unavailable();
    await this.load().catch((cause: unknown) => {
      throw unavailable(cause);
    });
    const found = this.#keys.get(keyId);
    if (!found) throw unauthorized();
    return found.key;
  }

  /** Fetches the published keys; calls at the same time share one fetch. @throws Error that says what is wrong. */
  load(): Promise<void> {
    return (this.#fetching ??= this.#load().finally(() => (this.#fetching = undefined)));
  }

  close(): void {
    this.#stopRefreshing();
  }

  #isWithin(ms: number, moment: number | undefined): boolean {
    return moment !== undefined && this.#deps.clock.elapsed() - moment < ms;
  }

  async #refresh(): Promise<void> {
    await this.load().catch((err: unknown) => {
      const message =
        'The key set cannot be refreshed. Known keys stay in use; a new key is fetched when it is needed.';
      this.#deps.logger.warn({ err }, message);
    });
  }

  async #load(): Promise<void> {
    const startedAt = this.#deps.clock.elapsed();
    try {
      this.#keys = await this.#fetchKeys();
      this.#fetchedAt = startedAt;
      this.#failedAt = undefined;
    } catch (error) {
      this.#failedAt = this.#deps.clock.elapsed();
      throw error;
    }
  }

  async #fetchKeys(): Promise<Map<string, PublishedKey>> {
    const { url, fetch } = this.#deps;
    const { status, body } = await requestJson(fetch, { url, timeoutMs: TIMEOUT_MS });
    if (status !== 200) throw new Error(`${url} responded with status ${status}`);
    const keys = (await Promise.all(membersOf(body).map(readKey))).filter((key) => key !== undefined);
    if (keys.length === 0) throw new Error(`${url} has no key for RS256`);
    return new Map(keys.map((key) => [key.id, this.#unlessKnown(key)]));
  }

  /** Keeps the object of an unchanged key, so that remembered tokens stay remembered. */
  #unlessKnown(key: PublishedKey): PublishedKey {
    const known = this.#keys.get(key.id);
    return known?.text === key.text ? known : key;
  }
}
