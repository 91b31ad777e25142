import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import { verifyAccessToken, type Caller, type TokenExpectation } from './access-token.js';
import type { KeySet } from './key-set.js';
import { Refusal } from './refusal.js';
import { assertSessionActive } from './session-check.js';

export interface ReportsOptions extends TokenExpectation {
  keys: KeySet;
  /** Base URL of Latchkey, for the session check. */
  latchkeyUrl: string;
}

const STAFF = ['PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'];
/** RFC 6750 section 2.1; the scheme is case-insensitive. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** A service that accepts Latchkey's access tokens and shares nothing with it except the key set. */
export function reportsApp(options: ReportsOptions): Express {
  const callerOf = (request: Request): Promise<Caller> =>
    verifyAccessToken(bearerToken(request), options.keys.find, options);
  const app = express();
  app.disable('x-powered-by');

  app.get('/reports', async (request, response) => {
    const { userId } = await callerOf(request);
    response.json({ reports: [`what ${userId} sold this month`] });
  });

  app.get('/reports/all', async (request, response) => {
    const { globalRole } = await callerOf(request);
    if (!STAFF.includes(globalRole)) throw Refusal.forbidden();
    response.json({ reports: ['all sales of this month'] });
  });

  // Payouts must reject a session that was revoked a minute ago.
  app.post('/payouts', async (request, response) => {
    const caller = await callerOf(request);
    await assertSessionActive(options.latchkeyUrl, bearerToken(request), caller);
    response.status(201).json({ paidOutTo: caller.userId });
  });

  app.use(refusals);
  return app;
}

/** Reads the `Authorization` header only, because a token in a URL ends up in logs. */
function bearerToken(request: Request): string {
  const [, token] = BEARER.exec(request.get('authorization') ?? '') ?? [];
  if (token === undefined) throw Refusal.unauthorized();
  return token;
}

const refusals: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (!(error instanceof Refusal)) {
    console.error(error);
    response.status(500).json({ error: { code: 'internal_error', message: 'Something went wrong.' } });
    return;
  }
  if (error.status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (error.status === 503) response.set('Retry-After', '5');
  response.status(error.status).json({ error: { code: error.code, message: error.message } });
};
