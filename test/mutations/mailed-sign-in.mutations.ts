import type { Mutation } from './mutation.js';

const BOUND =
  'A mailed sign-in opens nothing without the verifier of the client that asked for it, never twice, and not after 15 minutes.';
const GUESSES = 'Five wrong codes end a mailed sign-in with its link, however many arrive at once.';
const WHO =
  'A mailed sign-in goes to no member of staff and to no account that may not sign in, and ends with a change of role, status, address or password.';
const FACTORS = 'A mailed sign-in is one factor: a second factor is asked for as after a password.';
const SILENT = 'A request for a mailed sign-in does not reveal whether an account has the address.';
const FLOOD = 'A user gets at most three mails an hour that sign in.';

const REPOSITORY = 'packages/core/src/users/mailed-sign-in-repository.ts';
const SERVICE = 'packages/core/src/mailed-sign-in/mailed-sign-in-service.ts';
const SOURCE = 'packages/core/src/mailed-sign-in/mailed-sign-in-source.ts';

/** Defects in sign-ins by mail. */
export const mailedSignInMutations: readonly Mutation[] = [
  {
    promise: BOUND,
    defect: 'a link needs no verifier',
    file: REPOSITORY,
    from: 'WHERE m.challenge = $1 AND m.token_digest = $2',
    to: 'WHERE ($1::text IS NOT NULL) AND m.token_digest = $2',
  },
  {
    promise: BOUND,
    defect: 'code and link can be used twice',
    file: REPOSITORY,
    from: 'const IS_OPEN = `m.used_at IS NULL AND m.expires_at',
    to: 'const IS_OPEN = `m.expires_at',
  },
  {
    promise: BOUND,
    defect: 'code and link do not expire',
    file: REPOSITORY,
    from: 'm.expires_at > now() AND m.wrong_codes',
    to: 'm.wrong_codes',
  },
  {
    promise: BOUND,
    defect: 'a spent mail signs in all the same',
    file: SERVICE,
    from: 'if (!(await this.#deps.mailedSignIns.spend(id, trx))) throw mailInvalid();',
    to: 'await this.#deps.mailedSignIns.spend(id, trx);',
  },
  {
    promise: GUESSES,
    defect: 'wrong codes are not counted',
    file: REPOSITORY,
    from: 'THEN 0 ELSE 1 END',
    to: 'THEN 0 ELSE 0 END',
  },
  {
    promise: GUESSES,
    defect: 'wrong codes end nothing',
    file: REPOSITORY,
    from: ' AND m.wrong_codes < ${MAX_WRONG_CODES}\n',
    to: ' AND m.wrong_codes < 1000 * ${MAX_WRONG_CODES}\n',
  },
  {
    promise: WHO,
    defect: 'staff sign in by mail',
    file: SOURCE,
    from: ' || isStaff(user.globalRole)) return false;',
    to: ' || (isStaff(user.globalRole) && code === "")) return false;',
  },
  {
    promise: WHO,
    defect: 'users who may not sign in get a mail',
    file: SOURCE,
    from: '!maySignIn(user) ||',
    to: '(!maySignIn(user) && code === "") ||',
  },
  {
    promise: WHO,
    defect: 'a mail survives a change of role or status',
    file: REPOSITORY,
    from: 'AND u.token_version = m.token_version AND',
    to: 'AND',
  },
  {
    promise: WHO,
    defect: 'a mail survives a change of address',
    file: REPOSITORY,
    from: " AND sha256(convert_to(u.email, 'UTF8')) = m.email_digest\n",
    to: '\n',
  },
  {
    promise: FACTORS,
    defect: 'a sign-in by mail counts as two factors',
    file: SERVICE,
    from: "acr: 'aal1',",
    to: "acr: 'aal2',",
  },
  {
    promise: SILENT,
    defect: 'mail is queued for known addresses only',
    file: SERVICE,
    from: "await this.#deps.outbox.enqueue(trx, { kind: 'mailed_sign_in', recipient: email, payload });",
    to: "if (user) await this.#deps.outbox.enqueue(trx, { kind: 'mailed_sign_in', recipient: email, payload });",
  },
  {
    promise: FLOOD,
    defect: 'mails of an account are not limited',
    file: REPOSITORY,
    from: 'const MAX_MAILS = 3;',
    to: 'const MAX_MAILS = 300;',
  },
];
