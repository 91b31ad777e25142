import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Auth } from '@latchkey/core';
import { authErrors, createAuthRouter, createGuards } from '@latchkey/express-adapter';
import type { Activity } from './companies/activity.js';
import type { CompanyRepository } from './companies/company-repository.js';
import { companyRoutes } from './companies/company-routes.js';
import type { InvoiceRepository } from './invoices/invoice-repository.js';
import { invoiceRoutes } from './invoices/invoice-routes.js';

interface Parts {
  auth: Auth;
  companies: CompanyRepository;
  invoices: InvoiceRepository;
  activity: Activity;
}

const PAGES = fileURLToPath(new URL('public', import.meta.url));

/** The app's pages and routes, with Latchkey's beside them: `/login`, `/auth/…` and the rest. */
export function createApp(parts: Parts): Express {
  const { auth } = parts;
  // Browsers come with cookies, programs with a Bearer token; the same guards take both.
  const guards = createGuards(auth, { cookies: auth.settings.http.cookieMode });
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', auth.settings.http.trustProxy ?? false);

  app.use(createAuthRouter(auth));
  app.use('/api', companyRoutes(parts, guards));
  app.use('/api/invoices', invoiceRoutes(parts.invoices, guards));
  app.use(helmet(), express.static(PAGES));
  app.use(authErrors(auth));
  return app;
}
