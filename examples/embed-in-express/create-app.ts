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

/** Creates the app: its pages and routes, and Latchkey's `/login`, `/auth/…` and so on. */
export function createApp(parts: Parts): Express {
  const { auth } = parts;
  // Browsers send cookies, programs a Bearer token; the same guards accept both.
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
