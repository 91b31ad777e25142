import type { Pool } from 'pg';
import type { Auth, AuthEvent } from '@latchkey/core';

/** Messages for the events that a company's activity shows. */
const MESSAGES: Partial<Record<AuthEvent['event'], string>> = {
  invitation_created: 'A colleague was invited.',
  invitation_accepted: 'A colleague joined.',
  membership_updated: 'What a colleague may do has changed.',
};

/** The recent activity of companies, from Latchkey's events. */
export class Activity {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Starts listening. @returns a function that stops it. */
  follow(auth: Auth): () => void {
    return auth.on('*', (event) => this.#note(event));
  }

  /** Returns the newest ten entries. */
  async of(companyId: string): Promise<{ message: string; at: Date }[]> {
    const { rows } = await this.#pool.query<{ message: string; at: Date }>(
      `SELECT message, created_at AS at FROM invoicing.activity WHERE company_id = $1
       ORDER BY created_at DESC, id DESC LIMIT 10`,
      [companyId],
    );
    return rows;
  }

  /** Stores the event under its audit entry's id, so repeats change nothing. Skips unknown companies. */
  async #note({ id, event, outcome, companyId }: AuthEvent): Promise<void> {
    const message = MESSAGES[event];
    if (message === undefined || outcome !== 'success' || companyId === null) return;
    await this.#pool.query(
      `INSERT INTO invoicing.activity (id, company_id, message)
       SELECT $1, id, $3 FROM invoicing.companies WHERE id = $2
       ON CONFLICT (id) DO NOTHING`,
      [id, companyId, message],
    );
  }
}
