import type { Pool } from 'pg';

/**
 * The app's own tables, in a schema of their own beside Latchkey's. They name users and companies by id and have no
 * foreign keys into Latchkey's tables: those are its own business, and its migrations must not meet yours.
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
    created_by uuid NOT NULL,
    approved_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, number)
  );
  CREATE TABLE IF NOT EXISTS invoicing.activity (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES invoicing.companies,
    told text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );`;

/** Enough for an example; an app of yours has migrations. */
export async function applySchema(pool: Pool): Promise<void> {
  await pool.query(SCHEMA);
}
