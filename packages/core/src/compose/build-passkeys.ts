import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { Observer } from '../kernel/observer.js';
import type { Outbox } from '../mail/outbox.js';
import type { Ceremonies } from '../passkeys/ceremonies.js';
import { PasskeyLogin } from '../passkeys/passkey-login.js';
import { PasskeyRegistration, type PasswordConfirmation } from '../passkeys/passkey-registration.js';
import { PasskeyRepository } from '../passkeys/passkey-repository.js';
import { PasskeyService } from '../passkeys/passkey-service.js';
import { RelyingParty } from '../passkeys/relying-party.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { PasskeySettings } from '../settings/settings.js';
import type { Passkeys } from './auth.js';
import type { Records } from './build-records.js';

interface Needs {
  records: Records;
  authenticator: Authenticator;
  ceremonies: Ceremonies;
  passwords: PasswordConfirmation;
  sessionCreator: SessionCreator;
  beforeHooks: BeforeHookRunner;
  outbox: Outbox;
  observer: Observer;
}

/** The services of passkeys; undefined while they are off, and then their library is not loaded. */
export async function buildPasskeys(settings: PasskeySettings, needs: Needs): Promise<Passkeys | undefined> {
  if (!settings.enabled) return undefined;
  const { records, ...others } = needs;
  const shared = {
    ...records,
    ...others,
    passkeys: new PasskeyRepository(records.database),
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
