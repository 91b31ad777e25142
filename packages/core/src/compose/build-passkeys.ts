import type { CodeGuesses } from '../factors/code-guesses.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { SharedClock } from '../kernel/clock.js';
import type { Observer } from '../kernel/observer.js';
import type { Outbox } from '../mail/outbox.js';
import type { Ceremonies } from '../passkeys/ceremonies.js';
import { PasskeyLogin } from '../passkeys/passkey-login.js';
import { PasskeyRegistration, type PasswordConfirmation } from '../passkeys/passkey-registration.js';
import { PasskeyService } from '../passkeys/passkey-service.js';
import { PasskeyStepUp } from '../passkeys/passkey-step-up.js';
import { RelyingParty } from '../passkeys/relying-party.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { FirstFactor } from '../sessions/first-factor.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { PasskeySettings } from '../settings/settings.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { Passkeys } from './auth.js';
import type { Repositories } from './repositories.js';

interface PasskeysDeps {
  readonly repositories: Repositories;
  readonly signInPolicy: SignInPolicy;
  readonly guesses: CodeGuesses;
  readonly ceremonies: Ceremonies;
  readonly passwords: PasswordConfirmation;
  readonly credentialStepUp: CredentialStepUp;
  readonly firstFactor: FirstFactor;
  readonly sessionCreator: SessionCreator;
  readonly beforeHooks: BeforeHookRunner;
  readonly outbox: Outbox;
  readonly observer: Observer;
  /** Dates the ceremonies of step-ups. */
  readonly sharedClock: SharedClock;
}

/** The passkey services; `passkeyStepUp` is a part of the step-up. */
interface BuiltPasskeys {
  readonly passkeys: Passkeys | undefined;
  readonly passkeyStepUp: PasskeyStepUp | undefined;
}

/** Builds the passkey services. Builds none, and loads no library, while passkeys are off. */
export async function buildPasskeys(settings: PasskeySettings, deps: PasskeysDeps): Promise<BuiltPasskeys> {
  if (!settings.enabled) return { passkeys: undefined, passkeyStepUp: undefined };
  const { repositories, ...others } = deps;
  const shared = {
    ...repositories,
    ...others,
    relyingParty: await loadRelyingParty(settings),
  };
  return {
    passkeys: {
      registration: new PasskeyRegistration(shared),
      login: new PasskeyLogin(shared),
      own: new PasskeyService(shared),
    },
    passkeyStepUp: new PasskeyStepUp(shared),
  };
}

/** @throws TypeError without a relying party id. */
async function loadRelyingParty(settings: PasskeySettings): Promise<RelyingParty> {
  const { relyingPartyId: id, relyingPartyName: name, origins } = settings;
  if (id === undefined) throw new TypeError('createAuth: passkeys need settings.passkeys.relyingPartyId');
  return RelyingParty.load({ id, name, origins });
}
