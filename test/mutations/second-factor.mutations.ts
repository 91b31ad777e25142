import type { Mutation } from './mutation.js';

const NEW_DEVICES =
  "A user learns of every sign-in from a new device, at most once a day: what the limit holds back is named in the next mail. A stranger's device does not pass for a known one after a reset of the password, and a client cannot choose the id by which it is recognized.";
const COMPANY_FACTOR =
  'In a company that requires a second factor, a session with one factor has no access and does nothing by its membership, also while the requirement cannot be known.';
const ACCESS = 'packages/core/src/access/access-service.ts';

const DISTRUSTED =
  'What another person has set up with the password goes with the first proof of the mailbox that sets one, and with the undo of a change of the address if it was added since. A reset of a proved account keeps its apps.';

const WRONG_CODES =
  'Wrong codes in a row are counted for the account, wherever they are sent and on all replicas: the owner is mailed from the fifth on, once a day, and after 100 no code is compared until the owner has proved something else. A recovery code still works.';

const APP_PROOF =
  "A proof of the app around the service replaces the first factor only, names none of the service's own methods, and completes nothing once the account or its address has changed.";

const APP_MAILBOX =
  'The first proof of a mailbox by a mailed link of the app ends what another person has set up in the account: its password, factors and sessions. A proof whose account has changed meanwhile proves nothing.';

const NOTHING_IN_A_COPY =
  'A copy of the database contains no secret of an authenticator app and nothing that confirms a recovery code, and a row that is moved to another user is not accepted.';

const FIRST =
  'The first second factor of a user ends their other sessions with one factor, at once and in the feed, and a change of the address that one of them requested. The session that adds it goes on.';

const TYPED =
  'Codes are read as people type them, in the digits of any script, with separators and invisible characters; a text that no code can be is wrong.';

export const secondFactorMutations: readonly Mutation[] = [
  {
    promise: TYPED,
    defect: 'codes in full-width characters are wrong',
    file: 'packages/core/src/factors/typed-code.ts',
    from: "text.normalize('NFKC').",
    to: 'text.',
  },
  {
    promise: TYPED,
    defect: 'digits of other scripts are no digits',
    file: 'packages/core/src/factors/typed-code.ts',
    from: '.replaceAll(OTHER_DIGIT, asciiDigit)',
    to: '',
  },
  {
    promise: TYPED,
    defect: 'any text is a recovery code',
    file: 'packages/core/src/factors/kinds/recovery-code/recovery-code.ts',
    from: 'CODE_PATTERN.test(code) ?',
    to: 'CODE_PATTERN.source ?',
  },
  {
    promise: FIRST,
    defect: 'sessions from before the factor go on',
    file: 'packages/core/src/sessions/first-factor.ts',
    from: 'if (isFirst &&',
    to: 'if (!isFirst &&',
  },
  {
    promise: FIRST,
    defect: 'a change of address from before the factor goes on',
    file: 'packages/core/src/sessions/first-factor.ts',
    from: '    await this.#deps.emailChanges.endPending(userId, trx, sessionId);\n',
    to: '',
  },
  {
    promise: WRONG_CODES,
    defect: 'codes are compared without end',
    file: 'packages/core/src/factors/code-guesses.ts',
    from: 'wrongCodes >= MAX_WRONG_CODES_IN_A_ROW;',
    to: 'wrongCodes >= MAX_WRONG_CODES_IN_A_ROW * 100;',
  },
  {
    promise: WRONG_CODES,
    defect: 'a wrong code of a step-up is not committed',
    file: 'packages/core/src/step-up/session-raiser.ts',
    from: 'if (isRefused(spent)) return spent;',
    to: 'if (isRefused(spent)) throw new OutdatedError();',
  },
  {
    promise: WRONG_CODES,
    defect: 'every wrong code is mailed',
    file: 'packages/core/src/users/user-repository.sql.ts',
    from: "<= now() - interval '1 day'",
    to: '<= now()',
  },
  {
    promise: DISTRUSTED,
    defect: 'the app of a stranger survives the proof of the mailbox',
    file: 'packages/core/src/login/password-setter.ts',
    from: 'const removedApps = isFirstProof ?',
    to: 'const removedApps = isFirstProof && removedPasskeys > 99 ?',
  },
  {
    promise: DISTRUSTED,
    defect: 'a link without a password trusts the password',
    file: 'packages/core/src/users/user-repository.ts',
    from: '        proved_by_link_alone: byLinkAlone,\n',
    to: '',
  },
  {
    promise: DISTRUSTED,
    defect: 'an undo keeps the factors of the thief',
    file: 'packages/core/src/email-change/email-change-service.ts',
    from: 'removeSince(owner, requestedAt, trx)',
    to: 'removeSince(owner, new Date(Date.now() + 60_000), trx)',
  },
  {
    promise: NEW_DEVICES,
    defect: 'no device is new',
    file: 'packages/core/src/sign-in-devices/sign-in-device-repository.ts',
    from: '`NOT EXISTS (SELECT FROM sign_in_devices d',
    to: '`EXISTS (SELECT FROM sign_in_devices d',
  },
  {
    promise: NEW_DEVICES,
    defect: 'a device whose notice the daily limit holds back becomes a known one',
    file: 'packages/core/src/sign-in-devices/sign-in-device-repository.ts',
    from: "CASE WHEN NOT is_device_accepted THEN ${notice}::jsonb->'payload' END",
    to: "CASE WHEN false THEN ${notice}::jsonb->'payload' END",
  },
  {
    promise: NEW_DEVICES,
    defect: 'a client chooses the id by which it is recognized',
    file: 'packages/core/src/sign-in-devices/device-ids.ts',
    from: 'digestsEqual(given, macOf(key, id))) ? id',
    to: 'given.length === macOf(key, id).length) ? id',
  },
  {
    promise:
      'A password alone creates no session of a user with a second factor, by any way in, and no session that a change of the factors has overtaken.',
    defect: 'no user is asked for a second factor',
    file: 'packages/core/src/second-factor/second-factor-requirement.ts',
    from: 'if (!this.#deps.factorPolicy.needsSecondFactor(',
    to: 'if (this.#deps.factorPolicy.needsSecondFactor(',
  },
  {
    promise:
      'A code creates one session per user and time step, a recovery code and a challenge one each, on all replicas.',
    defect: 'a recovery code stays valid after its use',
    file: 'packages/core/src/factors/kinds/recovery-code/recovery-code-repository.ts',
    from: ' AND used_at IS NULL RETURNING id',
    to: ' RETURNING id',
  },
  {
    promise:
      'A challenge is worth nothing after a change of anything that was verified, after five wrong proofs, or after five minutes.',
    defect: 'a challenge outlives a change of the factors',
    file: 'packages/core/src/factors/challenge-repository.ts',
    from: ' AND u.factor_version = c.factor_version',
    to: '',
  },
  {
    promise:
      'Guesses at codes are limited for the account, on all challenges together. The limits never reject a recovery code.',
    defect: 'wrong codes have no limit per hour',
    file: 'packages/core/src/second-factor/challenged-sign-in.ts',
    from: 'if (seconds > 0) return',
    to: 'if (seconds > 1e9) return',
  },
  {
    promise: NOTHING_IN_A_COPY,
    defect: 'recovery codes are stored as digests without a key',
    file: 'packages/core/src/factors/kinds/recovery-code/recovery-code-key.ts',
    from: "createHmac('sha256', key).update(digest).digest();",
    to: 'key && digest;',
  },
  {
    promise: NOTHING_IN_A_COPY,
    defect: 'the key of recovery codes works for every user',
    file: 'packages/core/src/factors/kinds/recovery-code/recovery-code-key.ts',
    from: '`recovery-codes:${userId}`',
    to: '`recovery-codes:${userId.slice(0, 0)}`',
  },
  {
    promise: NOTHING_IN_A_COPY,
    defect: 'recovery codes of an earlier version never get a key',
    file: 'packages/core/src/factors/kinds/recovery-code/recovery-code-repository.ts',
    from: 'WHERE key_id IS DISTINCT FROM $1 AND user_id > $2',
    to: 'WHERE key_id <> $1 AND user_id > $2',
  },
  {
    promise: NOTHING_IN_A_COPY,
    defect: 'imported digests of recovery codes are stored without a key',
    file: 'packages/operations/src/user-import/factor-importer.ts',
    from: 'key ? digest : keyedDigest(own.secret, digest)',
    to: 'digest',
  },
  {
    promise:
      'Without the key of a recovery code the service is unavailable: the code is neither wrong nor spent.',
    defect: 'a recovery code whose key is missing counts as wrong',
    file: 'packages/core/src/factors/kinds/recovery-code/recovery-code-kind.ts',
    from: 'if (failures.length > 0) throw failures[0];\n    return false;',
    to: 'return false;',
  },
  {
    promise: 'Factors are changed in a recent sign-in only, and with a second factor where the user has one.',
    defect: 'an app is added to a passkey by the password alone',
    file: 'packages/core/src/sessions/credential-step-up.ts',
    from: 'if (await this.#deps.hasFactor(caller.userId, trx)) await this.#assertRecentFactor(caller, trx);\n    else if',
    to: 'if',
  },
  {
    promise:
      'Factors are counted by the level of the session: the one-time code of a hand-off is none, and a minted session has one.',
    defect: 'factors are counted by the number of methods',
    file: 'packages/core/src/sessions/session-creator.ts',
    from: 'parent?.acr ?? signIn.acr;',
    to: "amr.length > 1 ? 'aal2' : signIn.acr;",
  },
  {
    promise:
      'Where staff must have a second factor, a platform role gives no rights to a session with one factor, whenever the role was given, here or in a service that verifies its tokens.',
    defect: 'a platform role needs no second factor',
    file: 'packages/core/src/sessions/staff-level.ts',
    from: "|| acr === 'aal2';",
    to: '|| acr !== undefined;',
  },
  {
    promise:
      'Where staff must have a second factor, a platform role gives no rights to a session with one factor, whenever the role was given, here or in a service that verifies its tokens.',
    defect: 'tokens have the role whatever the level of the session',
    file: 'packages/core/src/sessions/token-issuer.ts',
    from: "if (!hasStaffLevel(bearer, this.#rules)) token.globalRole = 'NONE';",
    to: '',
  },
  {
    promise: COMPANY_FACTOR,
    defect: 'the requirement of a company is ignored',
    file: ACCESS,
    from: "if (!requireSecondFactor || acr === 'aal2') return;",
    to: 'if (!requireSecondFactor || acr !== undefined) return;',
  },
  {
    promise: COMPANY_FACTOR,
    defect: 'an unavailable core service requires nothing',
    file: ACCESS,
    from: 'fetch(companyId).catch(undefinedIfUnknown)',
    to: 'fetch(companyId).catch(() => undefined)',
  },
  {
    promise: COMPANY_FACTOR,
    defect: 'administrators of a company act with one factor',
    file: 'packages/http/src/callers/company-admin.ts',
    from: 'allows({ ...administrator, membership: undefined });',
    to: 'allows({ ...administrator });',
  },
  {
    promise: COMPANY_FACTOR,
    defect: 'inviters act with one factor',
    file: 'packages/core/src/invitations/invitation-service.ts',
    from: 'mayInvite({ ...inviter, membership: undefined });',
    to: 'mayInvite({ ...inviter });',
  },
  {
    promise: COMPANY_FACTOR,
    defect: 'a session with one factor is handed on',
    file: 'packages/core/src/handoff/handoff-service.ts',
    from: '    await this.#deps.access.assertLevel(caller, companyId);\n',
    to: '',
  },
  {
    promise:
      'The factors of a user are removed without them by superadmins, operators and privileged machines only, with a reason, a mail and the end of all sessions.',
    defect: 'a superadmin removes their own factors',
    file: 'packages/core/src/users/authority.ts',
    from: "  'reset-factors',\n  'erase',\n]);",
    to: "  'erase',\n]);",
  },
  {
    promise: APP_PROOF,
    defect: 'a sign-in through the app needs no second factor',
    file: 'packages/core/src/app-sign-in/app-sign-in-service.ts',
    from: "return acr === 'aal2'",
    to: 'return acr.length > 0',
  },
  {
    promise: APP_PROOF,
    defect: 'an app claims a passkey',
    file: 'packages/core/src/tokens/authentication-methods.ts',
    from: "  'geo',\n",
    to: "  'geo',\n  'hwk',\n",
  },
  {
    promise: APP_PROOF,
    defect: 'a sign-in that waits for its second factor survives a change of the address',
    file: 'packages/core/src/factors/challenge-repository.ts',
    from: "THEN sha256(convert_to(u.email, 'UTF8')) = c.email_digest",
    to: 'THEN true',
  },
  {
    promise: APP_PROOF,
    defect: 'a deactivated user signs in through the app',
    file: 'packages/core/src/app-sign-in/app-sign-in-service.ts',
    from: '    await assertAllowedToSignIn(this.#deps, judged, { client, details: { method } });\n',
    to: '    void [assertAllowedToSignIn, judged];\n',
  },
  {
    promise: APP_MAILBOX,
    defect: 'the first proof of a mailbox by the app keeps what a stranger has set up',
    file: 'packages/core/src/app-sign-in/app-sign-in-service.ts',
    from: 'if (!(await this.#deps.users.markEmailVerified(user.id, trx))) return user;',
    to: 'if ((await this.#deps.users.markEmailVerified(user.id, trx)) !== undefined) return user;',
  },
  {
    promise: APP_MAILBOX,
    defect: 'the password of a stranger survives the proof of the mailbox by the app',
    file: 'packages/core/src/login/password-setter.ts',
    from: 'const hadPassword = await this.#deps.users.voidPassword(userId, trx);',
    to: 'const hadPassword = await Promise.resolve(userId.length > 0);',
  },
  {
    promise: APP_MAILBOX,
    defect: 'the factors of a stranger survive the proof of the mailbox by the app',
    file: 'packages/core/src/factors/factor-removal.ts',
    from: 'return this.removeSince(owner, ALWAYS, trx);',
    to: 'return this.removeSince(owner, new Date(Date.now() + 60_000), trx);',
  },
  {
    promise: APP_MAILBOX,
    defect: 'a sign-in that proves a mailbox overlooks that the account has changed meanwhile',
    file: 'packages/core/src/app-sign-in/app-sign-in-service.ts',
    from: 'if (locked?.email !== user.email || locked.tokenVersion !== user.tokenVersion) throw accountChanged();',
    to: 'if (!locked) throw accountChanged();',
  },
];
