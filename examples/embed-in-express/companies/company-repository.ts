import type { Pool } from 'pg';
import type { Company } from './company.js';

const COLUMNS = 'id, name, plan, mail_domain AS "mailDomain"';

export class CompanyRepository {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async find(id: string): Promise<Company | undefined> {
    const [company] = await this.findAll([id]);
    return company;
  }

  /** Returns the companies with these ids that exist, sorted by name. */
  async findAll(ids: readonly string[]): Promise<Company[]> {
    const { rows } = await this.#pool.query<Company>(
      `SELECT ${COLUMNS} FROM invoicing.companies WHERE id = ANY($1) ORDER BY name`,
      [ids],
    );
    return rows;
  }

  async list(): Promise<Company[]> {
    const { rows } = await this.#pool.query<Company>(
      `SELECT ${COLUMNS} FROM invoicing.companies ORDER BY name`,
    );
    return rows;
  }

  /** Adds a company unless it exists. */
  async add({ id, name, plan, mailDomain }: Company): Promise<void> {
    await this.#pool.query(
      `INSERT INTO invoicing.companies (id, name, plan, mail_domain) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO NOTHING`,
      [id, name, plan, mailDomain],
    );
  }
}
