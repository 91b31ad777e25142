import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Auth } from '@latchkey/core';
import { authErrors, createAuthRouter, createGuards, getAccess } from '@latchkey/express-adapter';
import { Invoices } from './invoices.js';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Invoices</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
<div id="root"></div>
<script type="module" src="/app.js"></script>
</html>
`;

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui; max-width: 44rem; margin: 1rem auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; justify-content: space-between; }
li { margin-block: 0.5rem; }
button { font: inherit; }
`;

/** Creates the app: the routes and pages of Latchkey, an API that checks the rights in a company, and the page with its script. */
export function createCompanyApp(auth: Auth, script: string): Express {
  const { requireAccess } = createGuards(auth, { cookies: true });
  const invoices = new Invoices();
  const app = express();
  app.disable('x-powered-by');
  app.use(createAuthRouter(auth));

  // The company is that of `x-org`, in which the guards resolve the access of the user.
  app.get('/api/invoices', requireAccess({ module: 'invoices' }), (request, response) => {
    response.json(invoices.of(getAccess(request).companyId));
  });
  const mayApprove = requireAccess({ module: 'invoices', permission: 'invoices:approve' });
  app.post('/api/invoices/:id/approve', mayApprove, (request, response) => {
    response.json(invoices.approve(getAccess(request).companyId, request.params.id));
  });

  const directives = { scriptSrc: ["'self'"], styleSrc: ["'self'"], upgradeInsecureRequests: null };
  app.use(helmet({ contentSecurityPolicy: { directives } }));
  const components = readFileSync(
    fileURLToPath(import.meta.resolve('@latchkey/client/components.css')),
    'utf8',
  );
  app.get('/app', (_request, response) => void response.type('html').send(PAGE));
  app.get('/app.js', (_request, response) => void response.type('js').send(script));
  app.get('/app.css', (_request, response) => void response.type('css').send(components + STYLE));
  app.use(authErrors(auth));
  return app;
}
