import { createHmac } from 'node:crypto';
import type { Argon2Parameters } from './argon2-parameters.js';
import { decoyPhcString } from './phc-string.js';
import { decoyWithPrefix } from './stored-hash.js';

/** A group of stored hashes with the same cost. */
export interface StoredHashKind {
  /** Scheme and parameters, without salt and digest: `$argon2id$v=19$m=19456,t=2,p=1`, `$2b$10`. */
  prefix: string;
  /** Number of these hashes in the table or in a sample of it. */
  count: number;
}

/** A kind with a hash that matches no known password. */
interface Decoy extends StoredHashKind {
  hash: string;
}

const UINT48 = 2 ** 48;

/**
 * Hashes that are verified when an account has no stored hash. Their costs have the same distribution as those of stored
 * hashes. Otherwise response times would reveal which emails have an account whenever stored hashes differ from the
 * configured parameters, as after a change of the settings or an import of another system's users.
 *
 * The kind of an email is derived from its keyed hash, so it is stable and unpredictable. It changes only to a kind whose
 * share has grown: like accounts, whose hashes are renewed at the next sign-in, no email returns to parameters that are
 * being replaced.
 */
export class Decoys {
  /** A decoy with the cost of a new hash. */
  readonly configured: string;
  readonly #key: Buffer;
  #decoys: readonly Decoy[] = [];

  constructor({ key, configured }: { key: Buffer; configured: Argon2Parameters }) {
    this.#key = key;
    this.configured = decoyPhcString(configured);
  }

  /** Replaces the kinds with those stored now. Kinds that cannot be verified are ignored. */
  replace(kinds: readonly StoredHashKind[]): void {
    this.#decoys = kinds.flatMap((kind) => {
      const hash = decoyWithPrefix(kind.prefix);
      return hash !== undefined && kind.count > 0 ? [{ ...kind, hash }] : [];
    });
  }

  /** Returns the hash to verify for an email in its canonical form. It has the configured cost while no hash is stored. */
  hashFor(email: string): string {
    const ranked = this.#decoys.map((decoy) => ({ hash: decoy.hash, rank: this.#rankOf(decoy, email) }));
    const unranked = { hash: this.configured, rank: -Infinity };
    return ranked.reduce((best, next) => (next.rank > best.rank ? next : best), unranked).hash;
  }

  /** Weighted rendezvous hashing: the probability that a kind ranks highest is proportional to its count. */
  #rankOf({ prefix, count }: StoredHashKind, email: string): number {
    const digest = createHmac('sha256', this.#key).update(`${prefix}\0${email}`).digest();
    const uniform = (digest.readUIntBE(0, 6) + 0.5) / UINT48;
    return Math.log(uniform) / count;
  }
}
