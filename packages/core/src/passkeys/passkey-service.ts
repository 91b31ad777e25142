import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Page, PageRequest } from '../kernel/page.js';
import type { Outbox } from '../mail/outbox.js';
import type { SignedInUser } from '../sessions/session.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import type { Passkey } from './passkey.js';
import type { PasskeyRepository } from './passkey-repository.js';
import { toPasskeyView, type PasskeyView } from './passkey-schema.js';

/** What people do with the passkeys they have. Those of others do not exist for them. */
export class PasskeyService {
  readonly #database: Database;
  readonly #passkeys: PasskeyRepository;
  readonly #outbox: Outbox;
  readonly #audit: AuditRepository;

  constructor(parts: {
    database: Database;
    passkeys: PasskeyRepository;
    outbox: Outbox;
    audit: AuditRepository;
  }) {
    this.#database = parts.database;
    this.#passkeys = parts.passkeys;
    this.#outbox = parts.outbox;
    this.#audit = parts.audit;
  }

  /** Newest first. */
  async list({ userId }: SignedInUser, page: PageRequest): Promise<Page<PasskeyView>> {
    const { items, total } = await this.#passkeys.list(userId, page);
    return { items: items.map(toPasskeyView), total };
  }

  /** @throws AuthError `not_found`. */
  async rename(caller: SignedInUser, id: string, name: string, client: ClientInfo): Promise<PasskeyView> {
    const renamed = await this.#database.transaction(async (trx) => {
      const passkey = existing(await this.#passkeys.rename(id, caller.userId, name, trx));
      await this.#record('passkey_renamed', passkey, { caller, client, trx });
      return passkey;
    });
    return toPasskeyView(renamed);
  }

  /** Removes a passkey and tells its owner by mail; sessions it opened live on. @throws AuthError `not_found`. */
  async remove(caller: SignedInUser, id: string, client: ClientInfo): Promise<StatusOk> {
    const { email, fullName } = caller.user;
    await this.#database.transaction(async (trx) => {
      const passkey = existing(await this.#passkeys.remove(id, caller.userId, trx));
      await this.#record('passkey_removed', passkey, { caller, client, trx });
      await this.#outbox.enqueue(trx, {
        kind: 'passkey_removed',
        recipient: email,
        payload: { fullName, passkeyName: passkey.name },
      });
    });
    this.#outbox.wake();
    return { status: 'ok' };
  }

  async #record(event: AuditEventName, { id: passkeyId }: Passkey, cause: Cause): Promise<void> {
    const { userId, sessionId } = cause.caller;
    await this.#audit.insert(
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

interface Cause {
  caller: SignedInUser;
  client: ClientInfo;
  trx: Transaction;
}

function existing(passkey: Passkey | undefined): Passkey {
  if (!passkey) throw AuthError.notFound('The passkey');
  return passkey;
}
