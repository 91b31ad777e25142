import type { Mutation } from './mutation.js';

const CORE = 'packages/core/src';
const SERVICE = `${CORE}/email-verification/email-verification-service.ts`;
const PROOF = `${CORE}/email-verification/mailbox-proof.ts`;

const REQUIRED =
  'Where the proof of the mailbox is required, no way in creates a session before it, and the state shows only after the right password.';
const DELETED =
  'A mailed link deletes only its own registration, and only one that is neither confirmed nor approved.';
const REQUESTED =
  'A request for a registration mail discloses no account, and sends one user at most three mails an hour.';

const DOMAINS =
  'Addresses of domains that may not register get no account by registration, however they are written.';
const RULES = `${CORE}/login/sign-up-rules.ts`;

const THIEF =
  'A thief with a session cannot keep an account by changing its address: the former address undoes that for seven days, whatever was changed since.';
const ENDS =
  'A change of address ends all other sessions and all reset links, and a pending one ends with whatever secures the account.';
const LIMITED =
  'A request for another address does not disclose whether it is taken, and is limited for each user.';
const RESERVED = 'An address belongs to one user, and for seven days to the user who gave it up.';
const NOTIFIED = "The former address is notified of every change, and an administrator's change is final.";
const CHANGE = `${CORE}/email-change/email-change-service.ts`;
const CHANGES = `${CORE}/users/email-change-repository.ts`;

/** The proof of mailboxes and changes of addresses by mailed links. */
export const mailboxMutations: readonly Mutation[] = [
  {
    promise: DOMAINS,
    defect: 'a rule for the domains below one covers every domain that ends alike',
    file: RULES,
    from: 'domain.endsWith(rule.slice(1))',
    to: 'domain.endsWith(rule.slice(2))',
  },
  {
    promise: DOMAINS,
    defect: 'a domain that is allowed cannot be blocked',
    file: RULES,
    from: '&& !isIn(blockedDomains)) return;',
    to: '|| !isIn(blockedDomains)) return;',
  },
  {
    promise: 'Opening a link never approves a password that a stranger chose.',
    defect: 'a link without a password approves a registration',
    file: PROOF,
    from: 'needsPassword: approves };',
    to: 'needsPassword: false };',
  },
  {
    promise: 'Opening a link never approves a password that a stranger chose.',
    defect: 'a click vouches for a registration that needs no approval',
    file: PROOF,
    from: "needsPassword: enables || approval !== 'staff' }",
    to: 'needsPassword: enables }',
  },
  {
    promise:
      'Staff can override a registration link at any time. The link has no effect on users with a platform role.',
    defect: 'a requested mail revives a registration that staff decided against',
    file: `${CORE}/email-verification/verification-link-source.ts`,
    from: '    if (isDecidedOn) return false;\n',
    to: '    void isDecidedOn;\n',
  },
  {
    promise: REQUIRED,
    defect: 'a sign-in does not look at the proof',
    file: `${CORE}/users/sign-in-policy.ts`,
    from: 'return this.requiresVerifiedEmail && user.emailVerifiedAt === null;',
    to: 'return this.requiresVerifiedEmail && user.emailVerifiedAt === undefined;',
  },
  {
    promise: REQUIRED,
    defect: 'the statement that inserts a session does not look at the proof',
    file: `${CORE}/sessions/session-repository.sql.ts`,
    from: 'AND (NOT $21::boolean OR email_verified_at IS NOT NULL)',
    to: 'AND (NOT $21::boolean OR email_verified_at IS NULL OR true)',
  },
  {
    promise: DELETED,
    defect: 'an approved user is deleted by a link',
    file: PROOF,
    from: "user.approvalStatus === 'PENDING' && user.globalRole === 'NONE' && user.emailVerifiedAt === null;",
    to: "user.globalRole === 'NONE' && user.emailVerifiedAt === null;",
  },
  {
    promise: REQUESTED,
    defect: 'only a request for a known address is queued',
    file: SERVICE,
    from: '    const userId = user?.id ?? null;\n',
    to: "    const userId = user?.id ?? null;\n    if (userId === null) return { status: 'ok' };\n",
  },
  {
    promise: REQUESTED,
    defect: 'mails are sent however many are requested',
    file: `${CORE}/users/email-verification-repository.ts`,
    from: "r.created_at > now() - interval '1 hour') < $6::int",
    to: "r.created_at > now() - interval '1 hour') >= 0 * $6::int",
  },
  {
    promise: THIEF,
    defect: 'undoing a change of address keeps the password of the thief',
    file: CHANGE,
    from: '    await this.#deps.users.voidPassword(userId, trx);\n',
    to: '',
  },
  {
    promise: THIEF,
    defect: 'undoing a change of address keeps the passkeys of the thief',
    file: CHANGE,
    from: 'await this.#deps.factorRemoval.removeSince(owner, requestedAt, trx);',
    to: 'await Promise.resolve({ apps: owner.email.length * 0, passkeys: requestedAt.getTime() * 0, identities: 0 });',
  },
  {
    promise: ENDS,
    defect: 'a pending change of address survives a platform role',
    file: `${CORE}/sessions/session-revoker.ts`,
    from: "    const reason = 'role_changed';\n    // A link that was requested before must not change the address of the new role.\n    await this.#deps.emailChanges.endPending(userId, trx);\n",
    to: "    const reason = 'role_changed';\n",
  },
  {
    promise: THIEF,
    defect: 'a later link of a chain undoes the undo',
    file: CHANGES,
    from: "'confirmed_at >= (SELECT",
    to: "'false AND confirmed_at >= (SELECT",
  },
  {
    promise: THIEF,
    defect: 'an address is changed without a recent sign-in',
    file: `${CORE}/sessions/credential-step-up.ts`,
    from: "else if (withoutFactor === 'sign-in')",
    to: "else if (withoutFactor !== 'sign-in')",
  },
  {
    promise: ENDS,
    defect: 'the end of all sessions leaves a pending change of address',
    file: `${CORE}/sessions/session-revoker.ts`,
    from: 'if (exceptSessionId === undefined) await',
    to: "if (exceptSessionId === '') await",
  },
  {
    promise: ENDS,
    defect: 'reset links survive a change of address',
    file: CHANGE,
    from: '    await this.#deps.resets.revokeAll(userId, trx);\n',
    to: '',
  },
  {
    promise: LIMITED,
    defect: 'changes of address are not limited',
    file: CHANGE,
    from: '    if (wait === undefined) return user;\n',
    to: '    if (wait === undefined || wait > 0) return user;\n',
  },
  {
    promise: RESERVED,
    defect: 'a new user gets a reserved address',
    file: `${CORE}/users/user-repository.ts`,
    from: '    if (!row) throw emailTaken();\n    await this.#assertNotReserved(row, trx);\n',
    to: '    if (!row) throw emailTaken();\n',
  },
  {
    promise: RESERVED,
    defect: 'a user gets a reserved address by a change',
    file: `${CORE}/users/user-repository.ts`,
    from: '    if (changes.email !== undefined) await this.#assertNotReserved(row, trx);\n',
    to: '',
  },
  {
    promise: NOTIFIED,
    defect: 'a change by a machine leaves the links of earlier changes',
    file: `${CORE}/admin/user-administration.ts`,
    from: '    await this.#deps.emailChanges.endAll(id, trx);\n',
    to: '    await this.#deps.emailChanges.endPending(id, trx);\n',
  },
];
