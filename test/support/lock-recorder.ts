import pg from 'pg';

/** A table whose rows are locked in a fixed order, by its step in that order. */
const STEPS: Readonly<Record<string, number>> = {
  users: 1,
  company_memberships: 2,
  business_unit_memberships: 2,
  invitations: 2,
  sessions: 3,
};

/** One statement of a transaction, with the tables of the order in which it locked or wrote rows for the first time. */
interface Step {
  text: string;
  tables: string[];
}

type Query = (...parts: unknown[]) => unknown;
type Done = (error: unknown, result?: unknown) => void;

const LOCKS = `SELECT relation::regclass::text AS name FROM pg_locks
  WHERE pid = pg_backend_pid() AND locktype = 'relation' AND mode IN ('RowShareLock', 'RowExclusiveLock')
    AND relation::regclass::text = ANY($1)`;
const LOCKING =
  /\b(?:update|insert into|delete from)\s+"?(\w+)"?|\bfrom\s+"?(\w+)"?(?=[^;]*?\bfor (?:no key )?(?:update|share))/gi;

/**
 * Records in which order the transactions of this process lock tables. The server is asked after each statement, so
 * locks that foreign keys and triggers take count too.
 */
export class LockRecorder {
  readonly transactions: Step[][] = [];
  readonly statements: string[] = [];
  readonly #query = Reflect.get(pg.Client.prototype, 'query') as Query;
  readonly #open = new WeakMap<object, Step[]>();

  start(): void {
    const record = (client: pg.Client, parts: unknown[]): unknown => this.#record(client, parts);
    pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
      return record(this, parts);
    } as typeof pg.Client.prototype.query;
  }

  stop(): void {
    pg.Client.prototype.query = this.#query as typeof pg.Client.prototype.query;
  }

  /** The tables of the order that each transaction locked, first ones first. */
  sequences(): string[] {
    return this.transactions.map((steps) => steps.flatMap(({ tables }) => tables).join(' > '));
  }

  /** Transactions and single statements that lock against the order. */
  violations(): string[] {
    const transactions = this.transactions.filter(
      (steps) => !isInOrder(steps.flatMap(({ tables }) => tables)),
    );
    const statements = this.statements.filter((text) => !isInOrder(lockedBy(text)));
    return [...transactions.map((steps) => steps.map(({ text }) => text).join(';\n')), ...statements];
  }

  #record(client: pg.Client, parts: unknown[]): unknown {
    const text = textOf(parts[0]);
    if (/^begin/i.test(text)) this.#open.set(client, []);
    const steps = this.#open.get(client);
    if (/^(?:commit|rollback)/i.test(text) && steps) {
      this.#open.delete(client);
      this.transactions.push(steps);
    }
    if (!steps || !this.#open.has(client) || lockedBy(text).length === 0) {
      if (!steps) this.statements.push(text);
      return this.#query.apply(client, parts);
    }
    return this.#observed(client, parts, { text, steps });
  }

  #observed(client: pg.Client, parts: unknown[], at: { text: string; steps: Step[] }): unknown {
    const done = parts.at(-1);
    if (typeof done !== 'function') {
      return (this.#query.apply(client, parts) as Promise<unknown>).then(async (result) => {
        await this.#ask(client, at);
        return result;
      });
    }
    const observed: Done = (error, result) => {
      if (error) (done as Done)(error);
      else void this.#ask(client, at).then(() => (done as Done)(null, result), done as Done);
    };
    return this.#query.apply(client, [...parts.slice(0, -1), observed]);
  }

  async #ask(client: pg.Client, { text, steps }: { text: string; steps: Step[] }): Promise<void> {
    const asked = this.#query.call(client, LOCKS, [Object.keys(STEPS)]) as Promise<
      pg.QueryResult<{ name: string }>
    >;
    const known = new Set(steps.flatMap(({ tables }) => tables));
    const locked = (await asked).rows.map(({ name }) => name).filter((name) => !known.has(name));
    // What one statement locks comes in the order of its text; what only a foreign key locks is locked last.
    const named = lockedBy(text);
    const place = (table: string) => (named.includes(table) ? named.indexOf(table) : named.length);
    steps.push({ text, tables: [...new Set(locked)].sort((one, other) => place(one) - place(other)) });
  }
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : (query as { text: string }).text;

/** The tables of the order that a statement locks or writes, as its text says. */
function lockedBy(text: string): string[] {
  const found = [...text.matchAll(LOCKING)].map(([, written, read]) => written ?? read ?? '');
  return [...new Set(found)].filter((table) => table in STEPS);
}

const isInOrder = (tables: readonly string[]): boolean =>
  tables.every((table, index) => index === 0 || (STEPS[tables[index - 1] ?? ''] ?? 0) <= (STEPS[table] ?? 0));
