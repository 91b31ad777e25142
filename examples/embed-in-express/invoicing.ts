import type { Express } from 'express';
import pg from 'pg';
import { createAuth, type Auth, type Logger, type Settings } from '@latchkey/core';
import { Activity } from './companies/activity.js';
import { CompanyRepository } from './companies/company-repository.js';
import { companyRules } from './company-rules.js';
import { createApp } from './create-app.js';
import { InvoiceRepository } from './invoices/invoice-repository.js';
import { applySchema } from './schema.js';

/** The app and the function that closes it. */
export interface Invoicing {
  app: Express;
  auth: Auth;
  companies: CompanyRepository;
  invoices: InvoiceRepository;
  close(): Promise<void>;
}

/** Opens the app and Latchkey on one database: Latchkey's tables are in `public`, the app's in `invoicing`. */
export async function openInvoicing(settings: Settings, logger: Logger): Promise<Invoicing> {
  const pool = new pg.Pool({ connectionString: settings.database.url?.reveal(), max: 5 });
  // An idle connection was lost; the next query opens another.
  pool.on('error', (error) => logger.warn({ err: error }, 'a connection of the app was lost'));
  const companies = new CompanyRepository(pool);
  const auth = await createAuth(settings, { logger, ...companyRules(companies) });
  await applySchema(pool);
  return assemble(auth, pool, companies);
}

/** Creates the app for an existing `Auth`, as in tests. */
export function assemble(auth: Auth, pool: pg.Pool, companies = new CompanyRepository(pool)): Invoicing {
  const invoices = new InvoiceRepository(pool);
  const activity = new Activity(pool);
  const stopListening = activity.follow(auth);
  return {
    app: createApp({ auth, companies, invoices, activity }),
    auth,
    companies,
    invoices,
    close: async () => {
      stopListening();
      await auth.close();
      await pool.end();
    },
  };
}
