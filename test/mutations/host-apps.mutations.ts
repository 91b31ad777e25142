import type { Mutation } from './mutation.js';

const APP_REASONS =
  "A reason of the host app reaches clients only in its own form, `app.…`: it cannot pass for one of Latchkey's own.";

export const hostAppMutations: readonly Mutation[] = [
  {
    promise: APP_REASONS,
    defect: 'reasons of the host app are dropped',
    file: 'packages/core/src/kernel/error-reason.ts',
    from: 'if (isAppReason(reason)) return reason;',
    to: 'if (isAppReason(reason)) return code;',
  },
  {
    promise: APP_REASONS,
    defect: 'any text is a reason of the host app',
    file: 'packages/core/src/kernel/error-reason.ts',
    from: "typeof reason === 'string' && APP_REASON.test(reason)",
    to: "typeof reason === 'string' && APP_REASON.source !== ''",
  },
  {
    promise:
      "A guard allows exactly the callers that the service's routes allow, and reads a token from one place only.",
    defect: 'a guard believes the role in the token',
    file: 'packages/core/src/sessions/authenticator.ts',
    from: 'toPrincipal(token, user.globalRole)',
    to: "toPrincipal(token, token.globalRole as 'NONE')",
  },
  {
    promise: 'An unavailable database makes guards reject requests and ends no session.',
    defect: 'an unavailable database counts as a missing sign-in',
    file: 'packages/core/src/storage/database-error.ts',
    from: "return AuthError.unavailable('The database is not available at the moment.', error);",
    to: 'return AuthError.unauthorized();',
  },
  {
    promise:
      'In host apps, too, a page of another origin cannot change anything by a cookie, sockets included.',
    defect: 'a WebSocket counts as reading',
    file: 'packages/http/src/guards/request-identity.ts',
    from: '!SAFE_METHODS.has(method) || /\\bwebsocket\\b/i.test(String(upgrade))',
    to: '!SAFE_METHODS.has(method) && !/\\bwebsocket\\b/i.test(String(upgrade))',
  },
  {
    promise: 'Requests unknown to the router stay with the app: headers, bodies and responses.',
    defect: 'headers go on every answer of the app',
    file: 'packages/express-adapter/src/create-auth-router.ts',
    from: '  router.use((request, response, next) => {',
    to: "  router.use((request, response, next) => {\n    response.setHeader('Cache-Control', 'no-store');",
  },
  {
    promise: 'If a function of the app fails while a session is being created, no session remains.',
    defect: 'claims are asked for while the session is written',
    file: 'packages/core/src/sessions/token-issuer.ts',
    from: '    token.claims = claimsFor(this.#rules.claims, token);\n    return token;',
    to: '    const claims = () => claimsFor(this.#rules.claims, token);\n    return {\n      ...token,\n      get claims() {\n        return claims();\n      },\n    };',
  },
  {
    promise: 'Listeners receive committed events only, and cannot change a response.',
    defect: 'events are sent before the commit',
    file: 'packages/core/src/audit/audit-repository.ts',
    from: 'this.#database.afterCommit(trx, () => {',
    to: 'this.#database.afterCommit(undefined, () => {',
  },
  {
    promise: 'Metrics are for machines and contain no personal data and no secret.',
    defect: 'anybody reads the metrics',
    file: 'packages/http/src/metrics/metrics-endpoint.ts',
    from: '      return errorResponse(exchange, error, auth);\n    }\n    return metricsResponse(auth, exchange);',
    to: '      return metricsResponse(auth, exchange);\n    }\n    return metricsResponse(auth, exchange);',
  },
  {
    promise:
      'A function of the app that runs within a transaction of the service cannot end it, and when it fails nothing is written, mailed or announced.',
    defect: 'a function of the app commits our transaction',
    file: 'packages/core/src/audit/own-statement.ts',
    from: "'VALUES', 'WITH'] as const",
    to: "'VALUES', 'WITH', 'COMMIT', 'ROLLBACK'] as const",
  },
  {
    promise:
      'A function of the app that runs within a transaction of the service cannot end it, and when it fails nothing is written, mailed or announced.',
    defect: 'a function of the app queries after it has ended',
    file: 'packages/core/src/audit/own-rows.ts',
    from: 'if (!isOpen) throw new TypeError(`${name}: trx.query was called',
    to: "if (name === '') throw new TypeError(`${name}: trx.query was called",
  },
  {
    promise:
      'A function of the app that runs within a transaction of the service cannot end it, and when it fails nothing is written, mailed or announced.',
    defect: 'a row of the app is written and ours is not',
    file: 'packages/core/src/audit/audit-repository.ts',
    from: 'await this.#ownRows?.run(row, trx);',
    to: 'void this.#ownRows?.run(row, trx).catch(() => undefined);',
  },
  {
    promise:
      'Links of mails that the app writes or sends are made for each attempt. Neither the database nor the log has one.',
    defect: 'the error of a function that sends mail is logged and stored with its link',
    file: 'packages/core/src/mail/mail-worker.ts',
    from: 'withoutSecrets(error instanceof Error ? error.message : String(error))',
    to: '[error].map((each) => (each instanceof Error ? each.message : withoutSecrets(String(each)))).join()',
  },
  {
    promise: 'Texts of the app add no header to a mail, and a mail without one of its parts is not sent.',
    defect: 'a subject of the app may have several lines',
    file: 'packages/core/src/mail/own-mail.ts',
    from: 'if (oneLine(value) !== value.trim())',
    to: "if (oneLine(value) === '')",
  },
  {
    promise: 'Texts of the app add no header to a mail, and a mail without one of its parts is not sent.',
    defect: 'a mail of the app is sent without a text',
    file: 'packages/core/src/mail/own-mail.ts',
    from: "if (typeof value !== 'string' || value.trim() === '')",
    to: "if (typeof value !== 'string')",
  },
  {
    promise:
      'A function of the app that may reject a registration, an approval or a membership runs for every way to it.',
    defect: 'an invitation goes around the function for memberships',
    file: 'packages/core/src/audit/own-rows.ts',
    from: "    'finance_changed',\n    'invitation_accepted',",
    to: "    'finance_changed',",
  },
  {
    promise:
      'A function of the app that runs within a transaction of the service cannot end it, and when it fails nothing is written, mailed or announced.',
    defect: 'a nested comment hides the statement that runs',
    file: 'packages/core/src/audit/own-statement.ts',
    from: "depth += mark === '/*' ? 1 : -1;",
    to: "depth = mark === '/*' ? 1 : 0;",
  },
  {
    promise:
      'A reader that follows the audit log and continues after an entry, in another process, misses none, whichever transaction commits first.',
    defect: 'everything before an entry counts as seen by its reader',
    file: 'packages/core/src/audit/audit-list-repository.ts',
    from: 'some((query) => lateBefore(query, start))',
    to: "some((query) => void query.whereRaw('false'))",
  },
  {
    promise:
      'A reader that follows the audit log and continues after an entry, in another process, misses none, whichever transaction commits first.',
    defect: 'everything that was committed before an entry counts as seen by its reader',
    file: 'packages/core/src/audit/audit-list-repository.ts',
    from: 'some((query) => afterEntry(query, start))',
    to: "some((query) => afterEntry(query.whereRaw('NOT pg_visible_in_snapshot(transaction_id, ?::pg_snapshot)', [start.snapshot]), start))",
  },
  {
    promise: 'No log line contains the row of a statement that the database rejected.',
    defect: 'the failure of a function of the app is logged with the row of its statement',
    file: 'packages/core/src/audit/own-rows.ts',
    from: '    removeRowContents(thrown);\n',
    to: '',
  },
];
