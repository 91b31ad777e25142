import type { SessionRaise } from '../sessions/session-repository.js';
import type { Transaction } from '../storage/database.js';

/** The reason for which a proof was refused, for the audit log; clients get one error for each method. */
export interface RefusedProof {
  refused: string | undefined;
}

/** Facts of an accepted proof, for the audit log. */
export type ProofDetails = Record<string, unknown>;

/** A verified proof of identity, and what it raises. */
export interface IdentityProof extends Pick<SessionRaise, 'amr' | 'acr' | 'ceremonyBegunAt'> {
  /** Name of the proof, for the audit log. */
  method: string;
  /** The hash that the password was verified against; null for other proofs. */
  passwordHash: string | null;
  /**
   * Spends a proof that can be used once, in the transaction that raises the session: the row of the user is locked.
   * Missing for a proof that can be repeated.
   */
  spend?: (trx: Transaction) => Promise<ProofDetails | RefusedProof>;
}

export const isRefused = (proof: object): proof is RefusedProof => 'refused' in proof;
