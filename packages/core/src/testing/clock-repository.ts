import pg from 'pg';

/**
 * Stands before `pg_catalog` on the search path, so that `now()` and its likes mean these functions, in defaults of
 * columns too when it is there before the tables are. They read the shift anew in each statement.
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

/** Makes all later connections to a database use that schema. `public` comes first: new tables go there. */
export const useClockIn = (database: string): string =>
  `ALTER DATABASE ${database} SET search_path = public, latchkey_clock, pg_catalog`;

/** The clock of one database of a kit. Its connection also tells others that the database is in use. */
export class ClockRepository {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    // It does not keep a program alive whose kit was forgotten.
    this.#pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    this.#pool.on('error', () => undefined);
  }

  async open(): Promise<void> {
    await this.#pool.query('SELECT 1');
  }

  /** Moves it so many milliseconds ahead of the server's clock. */
  async moveTo(shiftMilliseconds: number): Promise<void> {
    await this.#pool.query('UPDATE latchkey_clock.shift SET forward = make_interval(secs => $1)', [
      shiftMilliseconds / 1000,
    ]);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
