import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { fieldError } from '../kernel/validation-error.js';
import type { Outbox } from '../mail/outbox.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import { deviceNameOf } from '../sessions/device-name.js';
import type { FirstFactor } from '../sessions/first-factor.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import type { Ceremonies } from './ceremonies.js';
import { readClientData } from './client-data.js';
import type { PasskeyRepository } from './passkey-repository.js';
import {
  registerPasskeyInput,
  toPasskeyView,
  type PasskeyCreationOptions,
  type PasskeyView,
  type RegisterPasskeyInput,
} from './passkey-schema.js';
import type { NewCredential, Passkey } from './passkey.js';
import { Refusal } from './refusal.js';
import type { RelyingParty } from './relying-party.js';

/**
 * Maximum number of passkeys of one user: more than a person has devices, few enough that a foreign one is
 * noticed.
 */
const MAX_PASSKEYS = 20;

/** Checks the current password of a signed-in user; wrong ones count against the session. */
export interface PasswordConfirmation {
  /** @throws AuthError `unauthorized`, `rate_limited`. */
  confirm(caller: SignedInUser, password: string, client: ClientInfo): Promise<unknown>;
}

const UNNAMED = 'Passkey';

export interface PasskeyRegistrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passkeys: PasskeyRepository;
  readonly passwords: PasswordConfirmation;
  readonly credentialStepUp: CredentialStepUp;
  readonly firstFactor: FirstFactor;
  readonly ceremonies: Ceremonies;
  readonly relyingParty: RelyingParty;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Adds passkeys to the account of a signed-in user who has just confirmed its password or signed in, and a second factor if there is one. */
export class PasskeyRegistration {
  readonly #deps: PasskeyRegistrationDeps;

  constructor(deps: PasskeyRegistrationDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a ceremony, bound to the caller's session. An account without a password needs a recent sign-in instead of it.
   * @throws AuthError `reauthentication_required` for a user with a second factor who did not prove it lately, and without a
   * password for a sign-in that is too old; `validation_error`, `unauthorized` for a wrong password, `rate_limited`, `conflict` when
   * the user has the maximum number of passkeys, `service_unavailable` without the ephemeral store, `forbidden` while an actor
   * acts for the user.
   */
  async options(
    caller: SignedInUser,
    currentPassword: string | undefined,
    client: ClientInfo = unknownClient,
  ): Promise<PasskeyCreationOptions> {
    await this.#confirm(caller, currentPassword, client);
    const own = await this.#deps.passkeys.credentialsOf(caller.userId);
    if (own.length >= MAX_PASSKEYS) throw errorOf(new Refusal('too_many'));
    const options = await this.#deps.relyingParty.creationOptions(caller.user, own);
    const { userId, sessionId } = caller;
    await this.#deps.ceremonies.begin('registration', options.challenge, { userId, sessionId });
    return options;
  }

  /**
   * Completes a ceremony: stores the passkey and notifies its owner by mail. If it is the first factor of the user, their other
   * sessions with one factor end.
   * @throws AuthError `validation_error`, `reauthentication_required` for a user with a second factor who did not prove it
   * lately, which does not spend the ceremony; `unauthorized` for a response that does not verify, `conflict` for a
   * credential that is registered already and for one too many, `service_unavailable` without the ephemeral store.
   */
  async verify(
    caller: SignedInUser,
    input: RegisterPasskeyInput,
    client: ClientInfo = unknownClient,
  ): Promise<PasskeyView> {
    const wanted = checkInput(registerPasskeyInput, input);
    await this.#deps.credentialStepUp.assert(caller, 'nothing');
    try {
      const credential = await this.#verified(caller, wanted);
      const name = wanted.name ?? deviceNameOf(client) ?? UNNAMED;
      return toPasskeyView(await this.#store(caller, name, credential, client));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.#record(caller, client, { outcome: 'failure', details: { reason: error.reason } });
      throw errorOf(error);
    }
  }

  async #confirm(caller: SignedInUser, password: string | undefined, client: ClientInfo): Promise<void> {
    if (password === undefined && (await this.#hasPassword(caller.userId))) {
      throw fieldError('currentPassword', 'required', 'is required, because the account has a password');
    }
    await this.#deps.credentialStepUp.assert(caller, password === undefined ? 'sign-in' : 'nothing');
    if (password !== undefined) await this.#deps.passwords.confirm(caller, password, client);
  }

  async #hasPassword(userId: string): Promise<boolean> {
    return Boolean((await this.#deps.users.findWithPassword(userId))?.passwordHash);
  }

  async #verified(caller: SignedInUser, { credential }: RegisterPasskeyInput): Promise<NewCredential> {
    const { challenge } = readClientData(credential.response.clientDataJSON) ?? {};
    const starter =
      challenge === undefined ? undefined : await this.#deps.ceremonies.take('registration', challenge);
    if (challenge === undefined || !starter || !isSame(starter, caller)) throw new Refusal('ceremony');
    return this.#deps.relyingParty.verifyRegistration(credential, challenge);
  }

  /**
   * Stores the passkey in one transaction, under the lock of the user's row: a reset or revocation that was
   * first leaves no passkey.
   */
  async #store(
    caller: SignedInUser,
    name: string,
    credential: NewCredential,
    client: ClientInfo,
  ): Promise<Passkey> {
    const { userId, sessionId } = caller;
    return this.#deps.database.transaction(async (trx) => {
      const user = await this.#lockCaller(caller, trx);
      const added = await this.#deps.firstFactor.adding({ userId, sessionId, client }, trx, () =>
        this.#insert(userId, name, credential, trx),
      );
      const details = { passkeyId: added.id };
      await this.#record(caller, client, { outcome: 'success', details }, trx);
      const actor = { kind: 'user', userId } as const;
      const ended = { userId, reason: 'passkey_added', actor, client };
      await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
      await this.#deps.outbox.enqueue(trx, {
        kind: 'passkey_added',
        recipient: user.email,
        payload: { fullName: user.fullName, passkeyName: name },
      });
      return added;
    });
  }

  async #lockCaller(caller: SignedInUser, trx: Transaction): Promise<User> {
    try {
      return await this.#deps.credentialStepUp.lock(caller, 'nothing', trx);
    } catch (error) {
      if (AuthError.is(error) && error.code === 'session_revoked') throw new Refusal('status');
      throw error;
    }
  }

  async #insert(userId: string, name: string, credential: NewCredential, trx: Transaction): Promise<Passkey> {
    if ((await this.#deps.passkeys.count(userId, trx)) >= MAX_PASSKEYS) throw new Refusal('too_many');
    await this.#deps.users.raiseFactorVersion(userId, trx);
    const passkey = await this.#deps.passkeys.insert(userId, name, credential, trx);
    if (!passkey) throw new Refusal('duplicate');
    return passkey;
  }

  async #record(
    { userId, sessionId }: SignedInUser,
    client: ClientInfo,
    result: Pick<AuditEvent, 'outcome' | 'details'>,
    trx?: Transaction,
  ): Promise<void> {
    const actor = { kind: 'user' as const, userId };
    const event = { event: 'passkey_added' as const, actor, subjectUserId: userId, sessionId, client };
    await this.#deps.audit.insert({ ...event, ...result }, trx);
  }
}

const isSame = (starter: { userId: string; sessionId: string }, caller: SignedInUser): boolean =>
  starter.userId === caller.userId && starter.sessionId === caller.sessionId;

function errorOf({ reason }: Refusal): AuthError {
  if (reason === 'duplicate')
    return AuthError.conflict('This passkey is registered already.', 'passkey_registered');
  if (reason === 'too_many') {
    return AuthError.conflict(
      `An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`,
      'passkey_limit_reached',
    );
  }
  return AuthError.unauthorized(
    'The passkey could not be registered. Begin again.',
    'passkey_registration_failed',
  );
}
