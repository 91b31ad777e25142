import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Auth } from '@latchkey/core';
import { authErrors, createAuthRouter, createGuards, getAuth } from '@latchkey/express-adapter';
import { COMPANIES } from './company-list.js';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Web app</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
<div id="root"></div>
<script type="module" src="/app.js"></script>
</html>
`;

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
label { display: block; margin-block: 0.5rem; }
input, select { display: block; font: inherit; }
button { font: inherit; display: block; margin-block: 0.5rem; }
`;

/** Creates the app: Latchkey's routes, one route of its own, and the page with its script. */
export function createWebApp(auth: Auth, script: string): Express {
  const { requireAuth } = createGuards(auth);
  const app = express();
  app.disable('x-powered-by');
  app.use(createAuthRouter(auth, { pages: false }));

  app.get('/api/companies', requireAuth, async (request, response) => {
    const { companyMemberships } = await auth.admin.users.context(getAuth(request).userId);
    const own = new Set(companyMemberships.map(({ companyId }) => companyId));
    response.json(COMPANIES.filter(({ id }) => own.has(id)).map(({ id, name }) => ({ id, name })));
  });

  // The tokens are in the storage of the page: the policy lets no foreign script get there.
  const directives = { scriptSrc: ["'self'"], styleSrc: ["'self'"], upgradeInsecureRequests: null };
  app.use(helmet({ contentSecurityPolicy: { directives } }));
  app.get('/', (_request, response) => void response.type('html').send(PAGE));
  app.get('/app.js', (_request, response) => void response.type('js').send(script));
  app.get('/app.css', (_request, response) => void response.type('css').send(STYLE));
  app.use(authErrors(auth));
  return app;
}
