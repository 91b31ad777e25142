import type { Mutation } from './mutation.js';

export const roleMutations: readonly Mutation[] = [
  {
    promise: 'Every route and its permitted callers are in one table. Anything else is 404.',
    defect: 'a route of machines says that people call it',
    file: 'packages/http/src/callers/machine-or.ts',
    from: "security: 'internal-key-or-bearer'",
    to: "security: 'bearer'",
  },
  {
    promise:
      'Each role can change exactly the users that the role table allows. No user can change their own role or status.',
    defect: 'an administrator reaches their own rank',
    file: 'packages/core/src/users/authority.ts',
    from: 'return outranks(actorRole, targetRole);',
    to: 'return !outranks(targetRole, actorRole);',
  },
  {
    promise:
      'Each role can change exactly the users that the role table allows. No user can change their own role or status.',
    defect: 'staff decide on themselves',
    file: 'packages/core/src/users/authority.ts',
    from: 'actor.id === target.id && SELF_FORBIDDEN.has(action)',
    to: "actor.id === '' && SELF_FORBIDDEN.has(action)",
  },
  {
    promise: 'One active superadmin always remains, whatever happens concurrently.',
    defect: 'superadmins are counted without a lock',
    file: 'packages/core/src/users/user-repository.ts',
    from: "await trx.raw('SELECT pg_advisory_xact_lock(?)', [SUPERADMIN_LOCK]);",
    to: "await trx.raw('SELECT ?::int', [SUPERADMIN_LOCK]);",
  },
  {
    promise: 'The first superadmin is created once, however many requests compete.',
    defect: 'an existing superadmin is not noticed',
    file: 'packages/core/src/admin/bootstrap.ts',
    from: 'toUserView(existing ?? (await work(trx)))',
    to: 'toUserView(await work(trx))',
  },
  {
    promise:
      'The page that creates the first superadmin exists outside production, for its own machine and with the token of the printed link only.',
    defect: 'any token creates the first superadmin',
    file: 'packages/pages/src/first-run.ts',
    from: 'if (!isSame(token, this.#secret)) throw linkUnusable();',
    to: "if (!isSame(token, this.#secret) && token === '') throw linkUnusable();",
  },
  {
    promise:
      'The page that creates the first superadmin exists outside production, for its own machine and with the token of the printed link only.',
    defect: 'the page of the first superadmin exists for other machines',
    file: 'packages/pages/src/first-administrator.ts',
    from: '    localOnly,\n  );',
    to: '    (each) => (localOnly(each) ? each : each),\n  );',
  },
  {
    promise:
      'The page that creates the first superadmin exists outside production, for its own machine and with the token of the printed link only.',
    defect: 'production has the page of the first superadmin',
    file: 'packages/pages/src/first-administrator.ts',
    from: "if (auth.settings.environment === 'production') return [];",
    to: "if (auth.settings.environment !== 'production' && auth.settings.http.baseUrl === '') return [];",
  },
  {
    promise: 'Machine routes accept only the configured key, and only from its header.',
    defect: 'an empty key is accepted where none is configured',
    file: 'packages/core/src/admin/internal-key.ts',
    from: "presented !== '' && matchesAnySecret(presented, this.#accepted)",
    to: 'this.#accepted.length === 0 || matchesAnySecret(presented, this.#accepted)',
  },
  {
    promise: 'A password set by an operator revokes all sessions, tokens and reset links of the old one.',
    defect: 'a new password ends no session',
    file: 'packages/core/src/login/password-setter.ts',
    from: 'const endedSessions = await this.#revokeSessions(',
    to: 'const endedSessions = ((..._change: unknown[]): number => 0)(',
  },
  {
    promise: 'An undeclared field is neither accepted nor returned.',
    defect: 'the view of a profile has the hash of the password',
    file: 'packages/core/src/users/user-schema.ts',
    from: '    fullName: z.string().nullable(),\n    name: z.string().nullable(),\n    ...mapProfile(',
    to: '    passwordHash: z.string().nullish(),\n    fullName: z.string().nullable(),\n    name: z.string().nullable(),\n    ...mapProfile(',
  },
];
