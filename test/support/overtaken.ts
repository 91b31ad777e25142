import type { Answer } from './api-client.js';
import { openConnection } from './open-connection.js';
import type { TestService } from './service.js';
import { waitUntil } from './wait-until.js';

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/**
 * Holds a user's row until a request waits for it, changes something by a statement whose `$1` is the user's id, lets
 * go, and gives the request's answer.
 */
export async function overtaken(
  service: TestService,
  { userId, change }: { userId: string; change: string },
  request: () => Promise<Answer>,
): Promise<Answer> {
  const blocker = await openConnection(service.databaseUrl);
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
    const pending = request();
    await waitUntil(async () => (await service.sql(WAITING)).length > 0, {
      what: 'the request to wait for the lock',
    });
    await blocker.query(change, [userId]);
    await blocker.query('COMMIT');
    return await pending;
  } finally {
    await blocker.end();
  }
}
