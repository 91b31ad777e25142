import express, { type Express } from 'express';
import type { Verifier } from '@latchkey/verifier';
import { getCaller, requireAuth, requireFresh, requireRole } from '@latchkey/verifier/express';

/** A service that accepts Latchkey's access tokens without a call per request. */
export function reportsApp(verifier: Verifier): Express {
  const app = express();
  app.disable('x-powered-by');

  app.get('/health', (_request, response) => {
    // Stale is no failure of this service: whenStale decides about its requests.
    response.json(verifier.status);
  });

  app.get('/reports', requireAuth(verifier), (request, response) => {
    response.json({ reports: [`what ${getCaller(request).userId} sold this month`] });
  });

  app.get(
    '/reports/all',
    requireRole(verifier, 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'),
    (_request, response) => {
      response.json({ reports: ['all sales of this month'] });
    },
  );

  app.post('/payouts', requireFresh(verifier, '5m'), (request, response) => {
    response.status(201).json({ paidOutTo: getCaller(request).userId });
  });

  return app;
}
