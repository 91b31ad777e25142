import { createHmac } from 'node:crypto';
import type { Argon2Parameters } from './argon2-parameters.js';
import { decoyPhcString, decoyWithPrefix } from './phc-string.js';

/** Stored hashes that cost the same. */
export interface StoredHashKind {
  /** A stored hash up to its salt: `$argon2id$v=19$m=19456,t=2,p=1`. */
  prefix: string;
  /** Their number, in all or in a sample. */
  count: number;
}

/** A kind with a hash of it that no password is known to fit. */
interface Decoy extends StoredHashKind {
  hash: string;
}

const UINT48 = 2 ** 48;

/**
 * Hashes that are verified in place of one that does not exist. They cost what stored hashes cost, in their proportion:
 * otherwise the time of an answer would tell accounts from other emails whenever stored hashes differ from the configured
 * parameters, as after a change of them.
 *
 * Which kind an email gets is drawn by its keyed hash, so it is always the same and cannot be foreseen. It keeps its kind
 * unless another one has grown in relation to it: like accounts, whose hashes are renewed at the next sign-in, none goes
 * back to parameters that are being replaced.
 */
export class Decoys {
  /** Costs what a new hash costs. */
  readonly configured: string;
  readonly #key: Buffer;
  #decoys: readonly Decoy[] = [];

  constructor({ key, configured }: { key: Buffer; configured: Argon2Parameters }) {
    this.#key = key;
    this.configured = decoyPhcString(configured);
  }

  /** Takes over what is stored now. Kinds that no engine could verify are left out. */
  replace(kinds: readonly StoredHashKind[]): void {
    this.#decoys = kinds.flatMap((kind) => {
      const hash = decoyWithPrefix(kind.prefix);
      return hash !== undefined && kind.count > 0 ? [{ ...kind, hash }] : [];
    });
  }

  /** The hash to verify for an email in its canonical form; of the configured cost while none is stored. */
  of(email: string): string {
    const ranked = this.#decoys.map((decoy) => ({ hash: decoy.hash, rank: this.#rankOf(decoy, email) }));
    const unranked = { hash: this.configured, rank: -Infinity };
    return ranked.reduce((best, next) => (next.rank > best.rank ? next : best), unranked).hash;
  }

  /** Weighted rendezvous hashing: each kind has the highest rank with a probability in proportion to its count. */
  #rankOf({ prefix, count }: StoredHashKind, email: string): number {
    const digest = createHmac('sha256', this.#key).update(`${prefix}\0${email}`).digest();
    const uniform = (digest.readUIntBE(0, 6) + 0.5) / UINT48;
    return Math.log(uniform) / count;
  }
}
