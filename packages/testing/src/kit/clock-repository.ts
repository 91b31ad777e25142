import pg from 'pg';

/**
 * A schema before `pg_catalog` on the search path, so that `now()` and similar functions mean these, also in
 * defaults of columns if it exists before the tables. They read the shift again in each statement.
 */
export const CLOCK_SCHEMA = `
  CREATE SCHEMA latchkey_clock;
  CREATE TABLE latchkey_clock.shift (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    forward  interval NOT NULL DEFAULT '0'
  );
  INSERT INTO latchkey_clock.shift DEFAULT VALUES;
  CREATE FUNCTION latchkey_clock.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
    'SELECT pg_catalog.now() + (SELECT forward FROM latchkey_clock.shift)';
  CREATE FUNCTION latchkey_clock.transaction_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
    'SELECT pg_catalog.now() + (SELECT forward FROM latchkey_clock.shift)';
  CREATE FUNCTION latchkey_clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
    'SELECT pg_catalog.statement_timestamp() + (SELECT forward FROM latchkey_clock.shift)';
  CREATE FUNCTION latchkey_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS
    'SELECT pg_catalog.clock_timestamp() + (SELECT forward FROM latchkey_clock.shift)';
`;

/**
 * Returns the statement that makes later connections to a database use that schema. New tables go to the
 * first one.
 */
export const useClockIn = (database: string, schema: string): string => {
  const own = schema === 'public' ? 'public' : `${schema}, public`;
  return `ALTER DATABASE ${database} SET search_path = ${own}, latchkey_clock, pg_catalog`;
};

const WHOSE_NOW = `
  SELECT to_regprocedure('now()') = 'latchkey_clock.now()'::regprocedure AS moves,
         current_setting('search_path') AS path`;

/**
 * Asserts that `now()` means the movable clock. The environment (PGOPTIONS) or the account may bring a search
 * path of their own, and with a clock that does not move every test of expiry would prove nothing.
 * @throws Error that says what to do.
 */
export async function assertClockMoves(connection: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await connection.query<{ moves: boolean; path: string }>(WHOSE_NOW);
  if (rows[0]?.moves === true) return;
  throw new Error(
    `The clock of the test kit could not move: its connections have the search path ${rows[0]?.path ?? ''}, where ` +
      'latchkey_clock does not precede pg_catalog. Remove search_path from PGOPTIONS and from the account ' +
      '(ALTER ROLE … RESET search_path). The schema of the tables is named by createTestAuth({ schema }).',
  );
}

/** The clock of one database of a kit. Its connection also marks the database as in use. */
export class ClockRepository {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    // It does not keep a program alive whose kit was not closed.
    this.#pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    this.#pool.on('error', () => undefined);
  }

  /** Opens the clock. @throws Error if SQL would not see it move. */
  async open(): Promise<void> {
    const connection = await this.#pool.connect();
    try {
      await assertClockMoves(connection);
    } finally {
      connection.release();
    }
  }

  /** Moves the clock so many milliseconds ahead of the server's. */
  async moveTo(shiftMs: number): Promise<void> {
    await this.#pool.query('UPDATE latchkey_clock.shift SET forward = make_interval(secs => $1)', [
      shiftMs / 1000,
    ]);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
