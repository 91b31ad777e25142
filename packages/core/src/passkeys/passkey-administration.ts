import type { AuditRepository } from '../audit/audit-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { prefixOf } from '../kernel/id-prefix.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkPage, type PageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Outbox } from '../mail/outbox.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { UserRepository } from '../users/user-repository.js';
import type { PasskeyQueries } from './passkey-queries.js';
import type { PasskeyRepository } from './passkey-repository.js';
import { toPasskeyView, type OwnedPasskeyView, type PasskeyView } from './passkey-schema.js';
import type { OwnedPasskey } from './passkey.js';

const toOwnedPasskeyView = ({ owner, ...passkey }: OwnedPasskey): OwnedPasskeyView => ({
  ...toPasskeyView(passkey),
  userId: owner.id,
  email: owner.email,
});

interface PasskeyAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passkeys: PasskeyRepository;
  readonly passkeyQueries: PasskeyQueries;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
}

/** Manages the passkeys of other users, for trusted actors. Works while passkeys are switched off, too. */
export class PasskeyAdministration {
  readonly #deps: PasskeyAdministrationDeps;

  constructor(deps: PasskeyAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns a user's passkeys, newest first. @throws AuthError `not_found` for an unknown user. */
  async listOfUser(userId: string, page: PageInput = {}): Promise<Page<PasskeyView>> {
    userId = checkId(userId, 'userId');
    const slice = checkPage(page);
    if (!(await this.#deps.users.findById(userId))) throw AuthError.notFound('The user', 'user_not_found');
    return mapPage(await this.#deps.passkeys.list(userId, slice), toPasskeyView);
  }

  /**
   * Returns the passkeys of an id or of the prefix of one, newest first.
   * @throws AuthError `validation_error` for fewer than 4 characters.
   */
  async findByPrefix(text: string, limit: number): Promise<OwnedPasskeyView[]> {
    return (await this.#deps.passkeyQueries.findByPrefix(prefixOf(text), limit)).map(toOwnedPasskeyView);
  }

  /**
   * Removes a passkey and notifies its owner by mail; the sessions it created stay active.
   * @throws AuthError `forbidden` for a machine without the scope for passwords, `not_found`.
   */
  async remove(actor: TrustedActor, id: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    id = checkId(id);
    assertHoldsScope(actor, 'users:privileged');
    await this.#deps.database.transaction((trx) => this.#removeWithin({ actor, id, client }, trx));
    return { status: 'ok' };
  }

  async #removeWithin(
    { actor, id, client }: { actor: TrustedActor; id: string; client: ClientInfo },
    trx: Transaction,
  ): Promise<void> {
    const found = await this.#deps.passkeyQueries.findById(id, trx);
    if (found) await this.#deps.users.raiseFactorVersion(found.owner.id, trx);
    // Of simultaneous removals the later ones find nothing to delete.
    const passkey = found && (await this.#deps.passkeys.remove(id, found.owner.id, trx));
    if (!passkey) throw AuthError.notFound('The passkey', 'passkey_not_found');
    const { id: userId, email, fullName } = found.owner;
    const ended = { userId, reason: 'passkey_removed', actor, client };
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
    await this.#deps.audit.insert(
      {
        event: 'passkey_removed',
        outcome: 'success',
        actor,
        subjectUserId: userId,
        client,
        details: { passkeyId: id },
      },
      trx,
    );
    await this.#deps.outbox.enqueue(trx, {
      kind: 'passkey_removed',
      recipient: email,
      payload: { fullName, passkeyName: passkey.name },
    });
  }
}
