import type { ValueSealer } from '../kernel/sealed-value.js';
import { digestOf } from '../kernel/secret.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { CEREMONY_SECONDS } from './passkey.js';

export type CeremonyPurpose = 'registration' | 'login';

/** Who began a ceremony; null where nobody is signed in yet. */
export type CeremonyStarter = { userId: string; sessionId: string } | null;

/**
 * Ceremonies under way. Each is found by its challenge and taken once; the store cannot make one up, stretch its time
 * or turn one for signing in into one for registering.
 */
export class Ceremonies {
  readonly #store: EphemeralStore;
  readonly #sealer: ValueSealer;

  constructor(store: EphemeralStore, sealer: ValueSealer) {
    this.#store = store;
    this.#sealer = sealer;
  }

  /** @throws AuthError `service_unavailable` without the ephemeral store. */
  async begin(purpose: CeremonyPurpose, challenge: string, starter: CeremonyStarter): Promise<void> {
    const key = keyOf(purpose, challenge);
    await this.#store.set(key, await this.#sealer.seal(key, { starter }, CEREMONY_SECONDS), CEREMONY_SECONDS);
  }

  /**
   * Ends a ceremony. @returns who began it; undefined when there is none: never begun, taken before, expired, or of
   * another purpose.
   * @throws AuthError `service_unavailable` without the ephemeral store.
   */
  async take(purpose: CeremonyPurpose, challenge: string): Promise<CeremonyStarter | undefined> {
    const key = keyOf(purpose, challenge);
    const sealed = await this.#store.getAndDelete(key);
    const value = sealed === undefined ? undefined : await this.#sealer.open(key, sealed);
    return (value as { starter: CeremonyStarter } | undefined)?.starter;
  }
}

const keyOf = (purpose: CeremonyPurpose, challenge: string): string =>
  `passkey:${purpose}:${digestOf(challenge).toString('hex')}`;
