import type { Mutation } from './mutation.js';

const HOLDS =
  'A step-up raises a session only if it is active and what was verified still holds, also when both change while it waits. Parallel step-ups lose nothing.';
const OWN_ONLY =
  'A step-up raises its own session and its later tokens only: no older token, no parent, no child, and no hand-off that an older token begins.';
const FIRST_FACTOR =
  'A password gives no second factor, and a code none to a session without a first. A code raises one session once.';
const GUESSES =
  'Wrong proofs of a step-up count for the session, wrong codes for the account too: sessions that are handed on bring no further guesses.';
const CREDENTIALS =
  'A client that holds a session and the password of a user with a second factor, be it an app or a passkey, changes nothing of how the user signs in: password, address, passkeys, apps and recovery codes require a factor that was proved lately, also if it was added while the request waited.';
const STAFF =
  'Staff whose sign-in is older than `STAFF_STEP_UP` create no user with a role, change no role, deactivate no user and withdraw no approval, with or without HTTP. The user whose role changes is notified.';
const REDIS =
  'Writing to Redis or restoring it neither reuses a challenge nor transfers a ceremony. Without Redis, passkeys are unavailable and passwords still work.';
const CHALLENGES =
  'A challenge works once, for its purpose and for the session that requested it. A signature counter is used once across all replicas.';

const REPOSITORY = 'packages/core/src/sessions/session-repository.sql.ts';
const SERVICE = 'packages/core/src/step-up/step-up-service.ts';
const CREDENTIAL_STEP_UP = 'packages/core/src/sessions/credential-step-up.ts';
const ADMINISTRATION = 'packages/core/src/admin/user-administration.ts';

export const stepUpMutations: readonly Mutation[] = [
  {
    promise: HOLDS,
    defect: 'a session that has ended is raised',
    file: REPOSITORY,
    from: ' AND NOT s.is_revoked AND s.expires_at > now() AND s.acting_sub IS NULL\n       AND ($7',
    to: ' AND s.acting_sub IS NULL\n       AND ($7',
  },
  {
    promise: HOLDS,
    defect: 'a password that was replaced during the check raises',
    file: REPOSITORY,
    from: 'AND ($4::text IS NULL OR password_hash = $4)\n     FOR',
    to: 'AND ($4::text IS NULL OR $4 <> password_hash || $4)\n     FOR',
  },
  {
    promise: OWN_ONLY,
    defect: 'a hand-off inherits what was raised after the token',
    file: 'packages/core/src/handoff/handoff-service.ts',
    from: '  if (!signIn) return parent;',
    to: '  if (!signIn || signIn.amr.length > 0) return parent;',
  },
  {
    promise: FIRST_FACTOR,
    defect: 'a code raises a session without a first factor',
    file: SERVICE,
    from: 'if (!isSignedInByPerson(caller.amr)) throw firstFactorMissing();',
    to: "if (!isSignedInByPerson([...caller.amr, 'pwd'])) throw firstFactorMissing();",
  },
  {
    promise: FIRST_FACTOR,
    defect: 'a password gives two factors',
    file: 'packages/core/src/step-up/identity-prover.ts',
    from: 'amr: PASSWORD_METHODS, acr: null,',
    to: "amr: PASSWORD_METHODS, acr: 'aal2',",
  },
  {
    promise: GUESSES,
    defect: 'wrong codes do not count for the account',
    file: SERVICE,
    from: 'if (result === undefined) await attempt.fail();',
    to: 'if (result === undefined) await attempt.takeBack();',
  },
  {
    promise: CREDENTIALS,
    defect: 'the level of the session is enough',
    file: CREDENTIAL_STEP_UP,
    from: 'if (isFresh && (await',
    to: 'if (isFresh || (await',
  },
  {
    promise: CREDENTIALS,
    defect: 'a passkey is no second factor when credentials are changed',
    file: 'packages/core/src/second-factor/factor-policy.ts',
    from: 'return this.methodsOf(state).length > 0;',
    to: 'return this.methodsOf({ ...state, counts: { ...state.counts, passkey: 0 } }).length > 0;',
  },
  {
    promise: CREDENTIALS,
    defect: 'a factor that was added meanwhile does not count',
    file: CREDENTIAL_STEP_UP,
    from: '    await this.assert(caller, withoutFactor, trx);\n',
    to: '',
  },
  {
    promise: CREDENTIALS,
    defect: 'adding a passkey asks for no factor',
    file: 'packages/core/src/passkeys/passkey-registration.ts',
    from: "    await this.#deps.credentialStepUp.assert(caller, password === undefined ? 'sign-in' : 'nothing');\n",
    to: '',
  },
  {
    promise: CREDENTIALS,
    defect: 'a password is changed without the factor',
    file: 'packages/core/src/login/password-service.ts',
    from: "        await this.#deps.credentialStepUp.lock(caller, 'nothing', trx);\n",
    to: '        void trx;\n',
  },
  {
    promise: STAFF,
    defect: 'a change of a role asks for no recent sign-in',
    file: ADMINISTRATION,
    from: 'if (change.raisesTokenVersion) this.#deps.staffStepUp.assertRecent(administrator);',
    to: '',
  },
  {
    promise: STAFF,
    defect: 'an unknown sign-in counts as recent',
    file: 'packages/core/src/admin/staff-step-up.ts',
    from: 'if (!administrator.signIn) throw staleSignIn(this.#maxAgeSeconds);',
    to: 'if (!administrator.signIn) return;',
  },
  {
    promise: REDIS,
    defect: 'an earlier ceremony raises again',
    file: REPOSITORY,
    from: 's.step_up_ceremony_at < to_timestamp($7::float8 / 1000))',
    to: 's.step_up_ceremony_at IS NOT NULL)',
  },
  {
    promise: CHALLENGES,
    defect: 'the ceremony of another session raises',
    file: 'packages/core/src/passkeys/passkey-step-up.ts',
    from: 'if (starter.userId !== userId || starter.sessionId !== sessionId)',
    to: 'if (starter.userId !== userId || sessionId === starter.userId)',
  },
];
