/** The longest any single step against the database may take, in milliseconds. */
export const DEADLINES = {
  /** A new connection, and the wait for a free one. */
  connect: 2_000,
  /** A new connection to one host of several. */
  connectListed: 1_000,
  /** One statement, measured by the server. */
  statement: 4_000,
  /** The wait for one lock, measured by the server. */
  lock: 3_000,
  /** A transaction in which nothing happens. */
  idleInTransaction: 10_000,
  /** One statement, measured here: for servers that did not receive the deadlines or cannot answer. */
  reply: 4_500,
} as const;

/** Statements that set the server's deadlines for the current transaction. */
export const SET_LOCAL_DEADLINES = [
  `set local statement_timeout = ${DEADLINES.statement}`,
  `set local lock_timeout = ${DEADLINES.lock}`,
  `set local idle_in_transaction_session_timeout = ${DEADLINES.idleInTransaction}`,
].join('; ');

/** Removes the server's deadlines for one transaction: a migration waits and works as long as it takes. */
export const SET_LOCAL_NO_DEADLINES =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/** Removes the server's deadlines for a connection, where a statement cannot be in a transaction. */
export const SET_NO_DEADLINES =
  'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0';

/** Milliseconds pg waits for the answer to one statement of a migration: a day, in place of the pool's few seconds. */
export const MIGRATION_TIMEOUT_MS = 86_400_000;
