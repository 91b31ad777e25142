import type { Pool } from 'pg';

/**
 * The app's tables, in their own schema; Latchkey's are in `public`. They reference users by id, the only stable
 * part of Latchkey's tables. Companies are the app's own.
 */
const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS invoicing;
  CREATE TABLE IF NOT EXISTS invoicing.companies (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL CHECK (plan IN ('basic', 'full')),
    mail_domain text NOT NULL,
    last_number integer NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS invoicing.invoices (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    company_id uuid NOT NULL REFERENCES invoicing.companies,
    number integer NOT NULL,
    customer text NOT NULL,
    cents bigint NOT NULL CHECK (cents > 0),
    created_by uuid NOT NULL REFERENCES public.users,
    approved_by uuid REFERENCES public.users,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, number)
  );
  CREATE TABLE IF NOT EXISTS invoicing.activity (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES invoicing.companies,
    message text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );`;

/** Creates the tables. A real app uses migrations. */
export async function applySchema(pool: Pool): Promise<void> {
  await pool.query(SCHEMA);
}
