import { z } from 'zod';
import { AuthError } from '../kernel/auth-error.js';
import { statement, type Database, type Statement } from '../storage/database.js';
import type { Company } from './company.js';

/** Upper and lower case are compared by that database's collation. */
const DEFAULT_QUERY = `SELECT id, code, name FROM companies
  WHERE id::text = lower($1) OR lower(code) = lower($1) OR lower(name) = lower($1)`;

const text = z.union([z.string(), z.number().transform(String)]).nullable();

/** The result of a query that is the operator's own: ids must be UUIDs, the rest is text or absent. */
const answer = z.array(
  z.object({
    id: z.guid().transform((id) => id.toLowerCase()),
    code: text,
    name: text,
  }),
);

/** Reads the finance database, which belongs to another service. */
export class CompanyRepository {
  readonly #finance: Database;
  readonly #find: Statement;

  /** @param query SQL with the one parameter `$1` that returns `id`, `code`, `name`. */
  constructor(finance: Database, query: string | undefined) {
    this.#finance = finance;
    this.#find = statement('finance_companies', query ?? DEFAULT_QUERY);
  }

  /** @throws AuthError `service_unavailable` if the database is unavailable or returns something else. */
  async find(identifier: string): Promise<Company[]> {
    try {
      return answer.parse(await this.#finance.query<Company>(this.#find, [identifier]));
    } catch (error) {
      // A text that the query cannot read, such as a word that it casts to a UUID, matches no company.
      if (AuthError.is(error) && error.code === 'validation_error') return [];
      if (AuthError.is(error) && error.code === 'service_unavailable') throw error;
      throw AuthError.unavailable('The finance database could not answer.', error);
    }
  }

  /**
   * Returns the names of the columns of the query, by running it with an identifier of no company. Rejects
   * with the raw error of pg.
   */
  columns(): Promise<string[]> {
    return this.#finance.withConnection(async (connection) => {
      await connection.query('begin read only');
      const { fields } = await connection.query(this.#find.text, [null]);
      await connection.query('rollback');
      return fields.map(({ name }) => name);
    });
  }
}
