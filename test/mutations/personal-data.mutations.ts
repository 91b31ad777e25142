import type { Mutation } from './mutation.js';

const NOTHING_LEFT =
  'After an erasure nothing of the person is in the database or Redis: no address, name, network address, user agent or identifier.';
const NOTHING_LATE =
  'A request that overlaps an erasure leaves nothing of the person behind, whichever comes first.';
const TOMBSTONES =
  'A row of the host app that refers to a user never blocks the deletion of a registration or an erasure, and no list shows what is left.';
const WHO =
  'Users are erased by superadmins, operators and privileged machines only, never the last active superadmin, and all sessions end at once.';
const OTHERS =
  'The erasure of one user removes nothing of another, and an audit row is never changed in any other way.';
const EXPORT =
  'An export shows users what is kept about them after a recent sign-in, without secrets and without the data of other people.';
const OTHERS_SENT = 'A registered address shows nothing that others sent to it before its mailbox is proved.';
const QUERIES = 'packages/core/src/erasure/personal-data-queries.ts';

export const personalDataMutations: readonly Mutation[] = [
  {
    promise: NOTHING_LEFT,
    defect: 'sessions keep address, user agent and device name',
    file: 'packages/core/src/sessions/session-repository.sql.ts',
    from: 'ip_address = NULL, user_agent = NULL, device_name = NULL',
    to: 'ip_address = ip_address',
  },
  {
    promise: NOTHING_LEFT,
    defect: 'the identifiers of older systems stay',
    file: 'packages/core/src/users/user-repository.sql.ts',
    from: "legacy_ids = '{}', ",
    to: '',
  },
  {
    promise: NOTHING_LEFT,
    defect: 'former addresses are not looked for',
    file: 'packages/core/src/erasure/user-erasure.ts',
    from: '[email, ...former]',
    to: '[email, ...former.slice(0, 0)]',
  },
  {
    promise: NOTHING_LEFT,
    defect: 'Redis keeps the network addresses of an account',
    file: 'packages/core/src/erasure/user-erasure.ts',
    from: 'forget(addresses, ipAddresses)',
    to: 'forget(addresses, [])',
  },
  {
    promise: NOTHING_LATE,
    defect: 'a mail that was prepared before the erasure names no user',
    file: 'packages/core/src/mail/outbox-repository.ts',
    from: "'userId' in payload ? payload.userId : null;",
    to: 'null;',
  },
  {
    promise: NOTHING_LATE,
    defect: 'an audit row that is written late keeps the network address',
    file: 'migrations/0037_acting_sessions.sql',
    from: '    NEW.ip_address := NULL;\n',
    to: '',
  },
  {
    promise: NOTHING_LATE,
    defect: 'the row of an erased user can be changed',
    file: 'migrations/0036_locales.sql',
    from: 'FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL AND',
    to: 'FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL AND OLD.erased_at IS NULL AND',
  },
  {
    promise: TOMBSTONES,
    defect: 'lists show tombstones',
    file: 'packages/core/src/users/user-queries.ts',
    from: "  void query.whereNull('erased_at');\n",
    to: '',
  },
  {
    promise: TOMBSTONES,
    defect: 'the row of a deleted registration keeps its address',
    file: 'packages/core/src/email-verification/email-verification-service.ts',
    from: '    await this.#deps.removal.remove(userId, trx);\n',
    to: '',
  },
  {
    promise: TOMBSTONES,
    defect: 'the view shows the address of a tombstone',
    file: 'migrations/0049_people_view.sql',
    from: 'CASE WHEN erased_at IS NULL THEN email END',
    to: 'email',
  },
  {
    promise: WHO,
    defect: 'a superadmin erases themselves',
    file: 'packages/core/src/users/authority.ts',
    from: "  'reset-factors',\n  'erase',\n]);",
    to: "  'reset-factors',\n]);",
  },
  {
    promise: WHO,
    defect: 'a machine needs no scope',
    file: 'packages/core/src/erasure/user-erasure.ts',
    from: "    if (!isPerson) assertHoldsScope(administrator, 'users:privileged');",
    to: "    if (!isPerson) assertHoldsScope(administrator, 'sessions:mint');",
  },
  {
    promise: WHO,
    defect: 'two superadmins are erased at once',
    file: 'packages/core/src/erasure/user-erasure.ts',
    from: 'countOtherSuperadmins(userId, trx)) === 0',
    to: 'countOtherSuperadmins(userId, trx)) < 0',
  },
  {
    promise: OTHERS,
    defect: 'an address that a change has merely named counts as one of the user',
    file: 'packages/core/src/erasure/user-erasure.ts',
    from: 'oldEmail === null ? [] : [oldEmail, newEmail]',
    to: 'oldEmail === null ? [newEmail] : [oldEmail, newEmail]',
  },
  {
    promise: OTHERS,
    defect: 'the addresses of staff are removed, too',
    file: 'packages/core/src/audit/audit-erasure-repository.ts',
    from: "(actor_user_id = $1 OR (acted_by_user_id = $1 AND actor = 'user') OR (actor_user_id IS NULL AND actor = 'anonymous'))",
    to: '(actor_user_id IS NOT NULL OR actor_user_id IS NULL)',
  },
  {
    promise: EXPORT,
    defect: 'the network address of staff is shown',
    file: 'packages/core/src/erasure/personal-data-export.ts',
    from: 'ipAddress: isOther ? null : row.ip_address',
    to: 'ipAddress: row.ip_address',
  },
  {
    promise: EXPORT,
    defect: 'a session of any age exports',
    file: 'packages/core/src/erasure/personal-data-export.ts',
    from: '    this.#deps.authenticator.assertFresh(caller, EXPORT_MAX_AGE);\n',
    to: '',
  },
  {
    promise: OTHERS_SENT,
    defect: 'the export lists invitations to an address that was not proved',
    file: QUERIES,
    from: '(SELECT email FROM users WHERE id = $1) AND ${IS_PROVED}',
    to: '(SELECT email FROM users WHERE id = $1)',
  },
  {
    promise: OTHERS_SENT,
    defect: 'the export lists mails of others to an address that was not proved',
    file: QUERIES,
    from: "AND (kind NOT IN ('invitation', 'email_change') OR ${IS_PROVED})",
    to: '',
  },
  {
    promise: OTHERS_SENT,
    defect: 'an invitation is shown to the registrant of its address',
    file: 'packages/core/src/invitations/invitation-service.ts',
    from: 'user.emailVerifiedAt !== null && user.email === email;',
    to: 'user.email === email;',
  },
];
