import { digestOf } from '../kernel/secret.js';
import type { ValueSigner } from '../kernel/signed-value.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { CEREMONY_SECONDS } from './passkey.js';

type CeremonyPurpose = 'registration' | 'login' | 'step-up';

/**
 * The user and session that started a ceremony; null for a sign-in. `begunAt` is the time of a step-up, in milliseconds
 * since the epoch by the clock of the database.
 */
type CeremonyStarter = { userId: string; sessionId: string; begunAt?: number } | null;

/**
 * Stores running ceremonies. Each is found by its challenge and taken once; the store cannot invent one,
 * extend its time or turn one for signing in into one for registering.
 */
export class Ceremonies {
  readonly #store: EphemeralStore;
  readonly #signer: ValueSigner;

  constructor(store: EphemeralStore, signer: ValueSigner) {
    this.#store = store;
    this.#signer = signer;
  }

  /** Starts a ceremony. @throws AuthError `service_unavailable` without the ephemeral store. */
  async begin(purpose: CeremonyPurpose, challenge: string, starter: CeremonyStarter): Promise<void> {
    const key = keyOf(purpose, challenge);
    await this.#store.set(key, await this.#signer.sign(key, { starter }, CEREMONY_SECONDS), CEREMONY_SECONDS);
  }

  /**
   * Takes a ceremony out of the store.
   * @returns who started it; undefined if there is none: never started, taken before, expired, or of another
   * purpose.
   * @throws AuthError `service_unavailable` without the ephemeral store.
   */
  async take(purpose: CeremonyPurpose, challenge: string): Promise<CeremonyStarter | undefined> {
    const key = keyOf(purpose, challenge);
    const signed = await this.#store.getAndDelete(key);
    const value = signed === undefined ? undefined : await this.#signer.verify(key, signed);
    return (value as { starter: CeremonyStarter } | undefined)?.starter;
  }
}

const keyOf = (purpose: CeremonyPurpose, challenge: string): string =>
  `passkey:${purpose}:${digestOf(challenge).toString('hex')}`;
