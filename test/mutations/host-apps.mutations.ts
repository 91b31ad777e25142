import type { Mutation } from './mutation.js';

export const hostAppMutations: readonly Mutation[] = [
  {
    promise:
      'A guard lets in exactly whom the routes of the service would, and asks for a token in one place only.',
    defect: 'a guard believes the role in the token',
    file: 'packages/core/src/sessions/authenticator.ts',
    from: 'globalRole: state.user.globalRole, user',
    to: "globalRole: token.globalRole as 'NONE', user",
  },
  {
    promise: 'A database that is away shuts guards, and signs nobody out.',
    defect: 'an unavailable database counts as a missing sign-in',
    file: 'packages/core/src/storage/database-error.ts',
    from: "return AuthError.unavailable('The database is not available at the moment.', error);",
    to: 'return AuthError.unauthorized();',
  },
  {
    promise: 'In host apps, too, a cookie changes nothing for a foreign page, sockets included.',
    defect: 'a WebSocket counts as reading',
    file: 'packages/express-adapter/src/guards/request-credentials.ts',
    from: '!SAFE_METHODS.has(method) || /\\bwebsocket\\b/i.test(upgrade)',
    to: '!SAFE_METHODS.has(method) && !/\\bwebsocket\\b/i.test(upgrade)',
  },
  {
    promise: 'What the router does not know stays the business of the app: its headers, bodies and answers.',
    defect: 'headers go on every answer of the app',
    file: 'packages/express-adapter/src/create-auth-router.ts',
    from: '  const router = exactRouter();\n  if (options.pages',
    to: '  const router = exactRouter();\n  router.use(headers);\n  if (options.pages',
  },
  {
    promise: 'A function of the app that fails while a session begins leaves none behind.',
    defect: 'claims are asked for while the session is written',
    file: 'packages/core/src/sessions/token-issuer.ts',
    from: '    return { ...bearer, claims: claimsFor(this.#claims, bearer) };',
    to: '    const claims = () => claimsFor(this.#claims, bearer);\n    return {\n      ...bearer,\n      get claims() {\n        return claims();\n      },\n    };',
  },
  {
    promise: 'Listeners hear of what is committed and of nothing else, and change no answer.',
    defect: 'events are sent before the commit',
    file: 'packages/core/src/audit/audit-repository.ts',
    from: 'if (trx) this.#database.afterCommit(trx, announce);',
    to: 'if (trx?.isCompleted()) this.#database.afterCommit(trx, announce);',
  },
  {
    promise: 'Metrics are for machines, and name no person and no secret.',
    defect: 'anybody reads the metrics',
    file: 'packages/express-adapter/src/metrics/metrics-endpoint.ts',
    from: 'onlyGet(auth), onlyScrapers(auth), ',
    to: 'onlyGet(auth), ',
  },
];
