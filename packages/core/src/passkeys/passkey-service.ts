import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkPage, type PageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { UserRepository } from '../users/user-repository.js';
import type { PasskeyRepository } from './passkey-repository.js';
import { passkeyPatchInput, toPasskeyView, type PasskeyView } from './passkey-schema.js';
import type { Passkey } from './passkey.js';

export interface PasskeyServiceDeps {
  readonly credentialStepUp: CredentialStepUp;
  readonly database: Database;
  readonly users: UserRepository;
  readonly passkeys: PasskeyRepository;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Manages the passkeys of the caller. Passkeys of other users are reported as `not_found`. */
export class PasskeyService {
  readonly #deps: PasskeyServiceDeps;

  constructor(deps: PasskeyServiceDeps) {
    this.#deps = deps;
  }

  /** Returns a page of the caller's passkeys, newest first. */
  async list(caller: SignedInUser, page: PageInput = {}): Promise<Page<PasskeyView>> {
    return mapPage(await this.#deps.passkeys.list(caller.userId, checkPage(page)), toPasskeyView);
  }

  /** Renames a passkey of the caller. @throws AuthError `validation_error`, `not_found`, `forbidden` while an actor acts for them. */
  async rename(
    caller: SignedInUser,
    id: string,
    name: string,
    client: ClientInfo = unknownClient,
  ): Promise<PasskeyView> {
    id = checkId(id);
    name = checkInput(passkeyPatchInput, { name }).name;
    assertNotActing(caller);
    const renamed = await this.#deps.database.transaction(async (trx) => {
      const passkey = existing(await this.#deps.passkeys.rename(id, caller.userId, name, trx));
      await this.#record('passkey_renamed', passkey, { caller, client, trx });
      return passkey;
    });
    return toPasskeyView(renamed);
  }

  /**
   * Removes a passkey and notifies its owner by mail; the sessions it created stay active. The caller must
   * have signed in or stepped up at most 15 minutes ago, with a second factor if they have one, so that a stolen access token cannot lock its owner out.
   * @throws AuthError `reauthentication_required`, `not_found`, `session_revoked`, `forbidden` while an actor acts for the user.
   */
  async remove(caller: SignedInUser, id: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    id = checkId(id);
    await this.#deps.credentialStepUp.assert(caller, 'nothing');
    await this.#deps.database.transaction(async (trx) => {
      const { email, fullName } = await this.#deps.credentialStepUp.lock(caller, 'nothing', trx);
      await this.#deps.users.raiseFactorVersion(caller.userId, trx);
      const passkey = existing(await this.#deps.passkeys.remove(id, caller.userId, trx));
      await this.#record('passkey_removed', passkey, { caller, client, trx });
      const actor = { kind: 'user', userId: caller.userId } as const;
      const ended = { userId: caller.userId, reason: 'passkey_removed', actor, client };
      await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
      await this.#deps.outbox.enqueue(trx, {
        kind: 'passkey_removed',
        recipient: email,
        payload: { fullName, passkeyName: passkey.name },
      });
    });
    return { status: 'ok' };
  }

  async #record(
    event: AuditEventName,
    { id: passkeyId }: Passkey,
    cause: { caller: SignedInUser; client: ClientInfo; trx: Transaction },
  ): Promise<void> {
    const { userId, sessionId } = cause.caller;
    await this.#deps.audit.insert(
      {
        event,
        outcome: 'success',
        actor: { kind: 'user', userId },
        subjectUserId: userId,
        sessionId,
        client: cause.client,
        details: { passkeyId },
      },
      cause.trx,
    );
  }
}

function existing(passkey: Passkey | undefined): Passkey {
  if (!passkey) throw AuthError.notFound('The passkey', 'passkey_not_found');
  return passkey;
}
