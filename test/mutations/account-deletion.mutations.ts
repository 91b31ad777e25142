import type { Mutation } from './mutation.js';

const PROVED =
  'An account is deleted by its user only, after a recent sign-in and with the second factor of those who have one.';
const CLOSED = 'From the request on, no session, API key or way in of the account works.';
const NEEDED = 'Neither staff nor the last superadmin of a company can delete their account.';
const LINK =
  'A link undoes the deletion for which it was sent, at the address to which it was sent, until the deletion is due.';
const BARRED = 'A user who is barred by staff cannot undo that by a deletion of the account.';
const SILENT = 'A request for the link does not reveal whether an account is about to be deleted.';
const FLOOD = 'A user gets at most three links an hour that keep an account.';
const ERASED =
  'An account is erased when seven days are over, never before, and not once its user or staff have kept it.';

const SERVICE = 'packages/core/src/account-deletion/account-deletion-service.ts';
const LINKS = 'packages/core/src/users/deletion-link-repository.ts';
const USERS = 'packages/core/src/users/user-repository.sql.ts';

/** Defects in the deletion of accounts by their users. */
export const accountDeletionMutations: readonly Mutation[] = [
  {
    promise: PROVED,
    defect: 'a deletion needs no recent sign-in',
    file: SERVICE,
    from: "const PROOF = 'sign-in';",
    to: "const PROOF = 'nothing';",
  },
  {
    promise: CLOSED,
    defect: 'the account stays active',
    file: USERS,
    from: 'UPDATE users SET is_active = false, delete_at = now() + make_interval(days => $2)',
    to: 'UPDATE users SET delete_at = now() + make_interval(days => $2)',
  },
  {
    promise: CLOSED,
    defect: 'personal API keys stay',
    file: 'packages/core/src/sessions/session.ts',
    from: "  'factors_reset',\n  'deletion_requested',\n] as const satisfies",
    to: "  'factors_reset',\n] as const satisfies",
  },
  {
    promise: NEEDED,
    defect: 'the last superadmin of a company is deleted',
    file: SERVICE,
    from: 'if (!(await this.#deps.membershipWrites.hasOtherSuperadmin({ companyId, userId }, trx)))',
    to: 'if (!(await this.#deps.membershipWrites.hasOtherSuperadmin({ companyId, userId }, trx)) && userId === "")',
  },
  {
    promise: NEEDED,
    defect: 'staff delete their account',
    file: USERS,
    from: "WHERE id = $1 AND is_active AND global_role = 'NONE' RETURNING delete_at",
    to: 'WHERE id = $1 AND is_active RETURNING delete_at',
  },
  {
    promise: LINK,
    defect: 'a link undoes a later deletion',
    file: LINKS,
    from: ' AND u.delete_at = l.delete_at AND l.delete_at > now()',
    to: ' AND u.delete_at IS NOT NULL AND l.delete_at > now()',
  },
  {
    promise: LINK,
    defect: 'a link works after the time of the deletion',
    file: LINKS,
    from: ' AND u.delete_at = l.delete_at AND l.delete_at > now()',
    to: ' AND u.delete_at = l.delete_at',
  },
  {
    promise: LINK,
    defect: 'a link to a former address works',
    file: LINKS,
    from: "\n     AND l.email_digest = sha256(convert_to(u.email, 'UTF8'))`;",
    to: '`;',
  },
  {
    promise: BARRED,
    defect: 'a deactivation by staff leaves the date of the deletion',
    file: 'migrations/0074_account_deletions.sql',
    from: 'WHEN (OLD.delete_at IS NOT NULL)',
    to: 'WHEN (NEW.is_active AND OLD.delete_at IS NOT NULL)',
  },
  {
    promise: BARRED,
    defect: 'a deactivation of an account that is about to be deleted is no event',
    file: 'packages/core/src/admin/user-change.ts',
    from: '(user.isActive || user.deleteAt !== null)',
    to: 'user.isActive',
  },
  {
    promise: SILENT,
    defect: 'only a known address causes a mail',
    file: SERVICE,
    from: "await this.#deps.outbox.enqueue(trx, { kind: 'account_deletion', recipient: email, payload });",
    to: "if (user) await this.#deps.outbox.enqueue(trx, { kind: 'account_deletion', recipient: email, payload });",
  },
  {
    promise: FLOOD,
    defect: 'links are not limited',
    file: LINKS,
    from: "interval '5 seconds') < $4::integer",
    to: "interval '5 seconds') < 1000 * $4::integer",
  },
  {
    promise: ERASED,
    defect: 'the erasure does not wait',
    file: USERS,
    from: 'const IS_DUE = "delete_at <= now() AND',
    to: 'const IS_DUE = "delete_at IS NOT NULL AND',
  },
  {
    promise: ERASED,
    defect: 'a user who has become staff is erased',
    file: USERS,
    from: "AND NOT is_active AND global_role = 'NONE'\";",
    to: 'AND NOT is_active";',
  },
];
