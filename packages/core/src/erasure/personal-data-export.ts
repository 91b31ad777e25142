import type { AuditListRepository, PlacedAuditRow } from '../audit/audit-list-repository.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { toFactorView } from '../factors/factor-schema.js';
import type { RecoveryCodeRepository } from '../factors/kinds/recovery-code/recovery-code-repository.js';
import type { TotpRepository } from '../factors/kinds/totp/totp-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { PasskeyRepository } from '../passkeys/passkey-repository.js';
import { toPasskeyView } from '../passkeys/passkey-schema.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUserView } from '../users/user-schema.js';
import { maySignIn } from '../users/user.js';
import type { PersonalDataQueries } from './personal-data-queries.js';
import { EXPORT_MAX_AGE, type PersonalData } from './personal-data-schema.js';

/** Entries of the audit log in one document, the newest. */
const MAX_EXPORTED_ENTRIES = 5_000;

/** Rows of any other list in one document, the newest. */
const MAX_EXPORTED_ROWS = 1_000;

/** Exports of one user within an hour. */
const EXPORTS_PER_HOUR = 10;
/** Entries of the audit log that are read at once. */
const SLICE = 500;

interface PersonalDataExportDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly personalDataQueries: PersonalDataQueries;
  readonly passkeys: PasskeyRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly auditLists: AuditListRepository;
  readonly audit: AuditRepository;
  readonly authenticator: Pick<Authenticator, 'assertFresh'>;
}

/** Returns to users what is kept about them. */
export class PersonalDataExport {
  readonly #deps: PersonalDataExportDeps;

  constructor(deps: PersonalDataExportDeps) {
    this.#deps = deps;
  }

  /**
   * Returns what is kept about the caller: no passwords, keys, secrets or digests. Of long lists the newest rows are returned; the
   * document says so. Read list by list, so a change in between may show in one and not in another. Invitations and mails to an
   * address belong to the caller once its mailbox was proved.
   * @throws AuthError `forbidden` while an actor acts for the caller; `reauthentication_required` for a sign-in that is older than
   * 15 minutes; `rate_limited` for the eleventh within an hour; `unauthorized` when the user no longer exists.
   */
  async export(caller: SignedInUser, client: ClientInfo = unknownClient): Promise<PersonalData> {
    const { userId } = caller;
    assertNotActing(caller);
    this.#deps.authenticator.assertFresh(caller, EXPORT_MAX_AGE);
    await this.#deps.database.transaction((trx) => this.#record(caller, client, trx));
    const user = await this.#deps.users.findById(userId);
    if (!user || user.erasedAt) throw AuthError.unauthorized();
    const audit = await this.#auditEntries(userId);
    const passkeys = await this.#deps.passkeys.list(userId, { limit: MAX_EXPORTED_ROWS, offset: 0 });
    const lists = {
      ...(await this.#deps.personalDataQueries.memberships(userId, MAX_EXPORTED_ROWS + 1)),
      ...(await this.#deps.personalDataQueries.lists(userId, MAX_EXPORTED_ROWS + 1)),
    };
    const trustedDevices = await this.#deps.personalDataQueries.trustedDevices(userId, MAX_EXPORTED_ROWS);
    const profilePicture = await this.#deps.personalDataQueries.profilePicture(userId);
    const isCut = Object.values(lists).some((rows) => rows.length > MAX_EXPORTED_ROWS);
    return {
      exportedAt: new Date(await this.#deps.auditLists.now()).toISOString(),
      profile: toUserView(user),
      ...cut(lists),
      ...(profilePicture && { profilePicture }),
      ...(trustedDevices.length > 0 && { trustedDevices }),
      passkeys: passkeys.items.map(toPasskeyView),
      factors: (await this.#deps.totp.list(userId)).map(toFactorView),
      recoveryCodesLeft: await this.#deps.recoveryCodes.countUnused(userId),
      auditEntries: audit.slice(0, MAX_EXPORTED_ENTRIES).map((row) => toEntry(row, userId)),
      limits: { auditEntries: MAX_EXPORTED_ENTRIES, otherLists: MAX_EXPORTED_ROWS },
      isComplete: !isCut && audit.length <= MAX_EXPORTED_ENTRIES && passkeys.total <= MAX_EXPORTED_ROWS,
    };
  }

  /** Counts the export under the lock of the user's row. */
  async #record({ userId, sessionId }: SignedInUser, client: ClientInfo, trx: Transaction): Promise<void> {
    const user = (await this.#deps.users.lock([userId], trx)).get(userId);
    if (!user || !maySignIn(user)) throw AuthError.unauthorized();
    const exports = { userId, event: 'personal_data_exported', perHour: EXPORTS_PER_HOUR } as const;
    const wait = await this.#deps.audit.secondsToWait(exports, trx);
    if (wait !== undefined) {
      throw new AuthError('rate_limited', 'Too many exports. Please try again later.', {
        reason: 'export_limit_reached',
        retryAfterSeconds: wait,
      });
    }
    await this.#deps.audit.insert(
      {
        event: 'personal_data_exported',
        outcome: 'success',
        actor: { kind: 'user', userId },
        subjectUserId: userId,
        sessionId,
        client,
      },
      trx,
    );
  }

  /** Returns the newest rows about the user, one more than are exported if there are that many. */
  async #auditEntries(userId: string): Promise<PlacedAuditRow[]> {
    const rows: PlacedAuditRow[] = [];
    while (rows.length <= MAX_EXPORTED_ENTRIES) {
      const slice = await this.#deps.auditLists.list({ subjectUserId: userId }, rows.at(-1), SLICE);
      rows.push(...slice);
      if (slice.length < SLICE) break;
    }
    return rows;
  }
}

/** Returns every list without the row that shows that there are more. */
const cut = <Lists extends Record<string, unknown[]>>(lists: Lists): Lists =>
  Object.fromEntries(
    Object.entries(lists).map(([name, rows]) => [name, rows.slice(0, MAX_EXPORTED_ROWS)]),
  ) as Lists;

/** Returns an entry without the data of other people: who acted, and from where. */
function toEntry(row: PlacedAuditRow, userId: string): PersonalData['auditEntries'][number] {
  const isSelf = row.actor_user_id === userId;
  const isActedFor = row.acted_by_user_id !== null || row.acted_by_name !== null;
  const isOther = isActedFor || (!isSelf && row.actor !== 'anonymous');
  return {
    id: row.id,
    occurredAt: row.occurred_at.toISOString(),
    event: row.event,
    outcome: row.outcome,
    actor: isSelf ? 'self' : kindOf(row.actor),
    isActedFor,
    companyId: row.company_id,
    sessionId: row.session_id,
    ipAddress: isOther ? null : row.ip_address,
    userAgent: isOther ? null : row.user_agent,
    details: row.details,
  };
}

/** Returns `user`, `machine`, `operator` or `anonymous` without the name behind it. */
const kindOf = (actor: string): string => (actor.startsWith('cli:') ? 'operator' : actor.replace(/:.*$/, ''));
