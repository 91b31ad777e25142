import { withOthers, type PartsOf } from '../kernel/assemble.js';
import type { ValueSigner } from '../kernel/signed-value.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { Ceremonies } from './ceremonies.js';
import { PasskeyLogin } from './passkey-login.js';
import { PasskeyRegistration, type PasswordConfirmation } from './passkey-registration.js';
import { PasskeyService } from './passkey-service.js';
import { PasskeyStepUp } from './passkey-step-up.js';
import type { RelyingParty } from './relying-party.js';

export interface CeremonyParts {
  readonly store: EphemeralStore;
  readonly ceremonySigner: ValueSigner;
}

export interface RelyingPartyParts {
  /** Undefined while passkeys are off. */
  readonly relyingParty: RelyingParty | undefined;
}

type ServiceParts = RelyingPartyParts & { readonly passwordService: PasswordConfirmation } & Omit<
    PartsOf<typeof PasskeyRegistration> & PartsOf<typeof PasskeyLogin> & PartsOf<typeof PasskeyService>,
    'relyingParty' | 'passwords'
  >;

type StepUpParts = RelyingPartyParts & Omit<PartsOf<typeof PasskeyStepUp>, 'relyingParty'>;

/** The passkey services; all but the ceremonies are undefined while passkeys are off. */
export const passkeyParts = {
  ceremonies: ({ store, ceremonySigner }: CeremonyParts) => new Ceremonies(store, ceremonySigner),
  passkeyStepUp: (parts: StepUpParts) =>
    parts.relyingParty && new PasskeyStepUp(withOthers(parts, { relyingParty: parts.relyingParty })),
  passkeyServices: (parts: ServiceParts) => {
    const { relyingParty, passwordService: passwords } = parts;
    if (!relyingParty) return undefined;
    const relying = withOthers(parts, { relyingParty });
    return {
      registration: new PasskeyRegistration(withOthers(relying, { passwords })),
      login: new PasskeyLogin(relying),
      own: new PasskeyService(relying),
    };
  },
};
