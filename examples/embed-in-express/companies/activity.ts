import type { Pool } from 'pg';
import type { Auth, AuthEvent } from '@latchkey/core';

/** What is worth telling a company's people, in words. */
const TOLD: Partial<Record<AuthEvent['event'], string>> = {
  invitation_created: 'A colleague was invited.',
  invitation_accepted: 'A colleague joined.',
  membership_updated: 'What a colleague may do has changed.',
};

/** News of a company, made of what Latchkey tells. */
export class Activity {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Listens from now on. @returns what ends it. */
  follow(auth: Auth): () => void {
    return auth.on('*', (event) => this.#note(event));
  }

  /** The newest ten. */
  async of(companyId: string): Promise<{ told: string; at: Date }[]> {
    const { rows } = await this.#pool.query<{ told: string; at: Date }>(
      `SELECT told, created_at AS at FROM invoicing.activity WHERE company_id = $1
       ORDER BY created_at DESC, id DESC LIMIT 10`,
      [companyId],
    );
    return rows;
  }

  /** Under the id of the audit entry: an entry that is told again changes nothing. Companies of others are passed over. */
  async #note({ id, event, outcome, companyId }: AuthEvent): Promise<void> {
    const told = TOLD[event];
    if (told === undefined || outcome !== 'success' || companyId === null) return;
    await this.#pool.query(
      `INSERT INTO invoicing.activity (id, company_id, told)
       SELECT $1, id, $3 FROM invoicing.companies WHERE id = $2
       ON CONFLICT (id) DO NOTHING`,
      [id, companyId, told],
    );
  }
}
