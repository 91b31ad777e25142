import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { Observer } from '../kernel/observer.js';
import type { Outbox } from '../mail/outbox.js';
import type { Ceremonies } from '../passkeys/ceremonies.js';
import { PasskeyLogin } from '../passkeys/passkey-login.js';
import { PasskeyRegistration, type PasswordConfirmation } from '../passkeys/passkey-registration.js';
import { PasskeyService } from '../passkeys/passkey-service.js';
import { RelyingParty } from '../passkeys/relying-party.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { PasskeySettings } from '../settings/settings.js';
import type { Passkeys } from './auth.js';
import type { Repositories } from './repositories.js';

interface PasskeysDeps {
  readonly repositories: Repositories;
  readonly authenticator: Authenticator;
  readonly ceremonies: Ceremonies;
  readonly passwords: PasswordConfirmation;
  readonly sessionCreator: SessionCreator;
  readonly beforeHooks: BeforeHookRunner;
  readonly outbox: Outbox;
  readonly observer: Observer;
}

/** Builds the passkey services. Returns undefined, and loads no library, while passkeys are off. */
export async function buildPasskeys(
  settings: PasskeySettings,
  deps: PasskeysDeps,
): Promise<Passkeys | undefined> {
  if (!settings.enabled) return undefined;
  const { repositories, ...others } = deps;
  const shared = {
    ...repositories,
    ...others,
    relyingParty: await loadRelyingParty(settings),
  };
  return {
    registration: new PasskeyRegistration(shared),
    login: new PasskeyLogin(shared),
    own: new PasskeyService(shared),
  };
}

/** @throws TypeError without a relying party id. */
async function loadRelyingParty(settings: PasskeySettings): Promise<RelyingParty> {
  const { relyingPartyId: id, relyingPartyName: name, origins } = settings;
  if (id === undefined) throw new TypeError('createAuth: passkeys need settings.passkeys.relyingPartyId');
  return RelyingParty.load({ id, name, origins });
}
