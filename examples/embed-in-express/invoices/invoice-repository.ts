import type { Pool } from 'pg';
import type { Invoice, NewInvoice } from './invoice.js';

const COLUMNS =
  'id, number, customer, cents::float8 AS cents, created_by AS "createdBy", approved_by AS "approvedBy"';

/** Every statement filters by company, so guessing an id gives no access to another company's invoices. */
export class InvoiceRepository {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns up to a hundred invoices, newest first. */
  async list(companyId: string): Promise<Invoice[]> {
    const { rows } = await this.#pool.query<Invoice>(
      `SELECT ${COLUMNS} FROM invoicing.invoices WHERE company_id = $1 ORDER BY number DESC LIMIT 100`,
      [companyId],
    );
    return rows;
  }

  /** Assigns the company's next number and writes the invoice in one statement, so numbers are unique. */
  async add(companyId: string, { customer, cents }: NewInvoice, createdBy: string): Promise<Invoice> {
    const { rows } = await this.#pool.query<Invoice>(
      `WITH numbered AS (
         UPDATE invoicing.companies SET last_number = last_number + 1 WHERE id = $1 RETURNING id, last_number
       )
       INSERT INTO invoicing.invoices (company_id, number, customer, cents, created_by)
       SELECT id, last_number, $2, $3, $4 FROM numbered RETURNING ${COLUMNS}`,
      [companyId, customer, cents, createdBy],
    );
    return only(rows);
  }

  /** Approves the invoice. Returns undefined if it does not exist or has already been approved. */
  async approve(companyId: string, id: string, approvedBy: string): Promise<Invoice | undefined> {
    const { rows } = await this.#pool.query<Invoice>(
      `UPDATE invoicing.invoices SET approved_by = $3
       WHERE id = $2 AND company_id = $1 AND approved_by IS NULL RETURNING ${COLUMNS}`,
      [companyId, id, approvedBy],
    );
    return rows[0];
  }
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('The company does not exist.');
  return row;
}
