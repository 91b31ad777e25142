import type pg from 'pg';
import { protocolOf } from './driver-protocol.js';

/** The function of PostgreSQL that waits for a synchronous standby. Its warnings are translated, this name is not. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

/** A write that was committed on the primary, and may not be on any standby. */
class UnreplicatedCommitError extends Error {
  override readonly name = 'UnreplicatedCommitError';
  /** `transaction_resolution_unknown`. */
  readonly code = '08007';

  constructor() {
    super('no synchronous standby confirmed the commit');
  }
}

/**
 * Makes statements fail whose commit was not confirmed by a synchronous standby. When such a wait is cancelled, such
 * as by `pg_cancel_backend`, PostgreSQL sends a warning and then reports success: the write would be acknowledged, and
 * lost with the primary. The warning arrives before the success, so the driver's queries are failed at that moment, and
 * the connection is not used again. No deadline of ours cancels such a wait: `statement_timeout` ends before it.
 */
export function refuseUnreplicatedCommits(connection: pg.ClientBase): void {
  connection.on('notice', ({ routine }) => {
    if (routine === WAIT_FOR_STANDBY) protocolOf(connection).emit('error', new UnreplicatedCommitError());
  });
}
