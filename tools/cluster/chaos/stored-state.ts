import pg from 'pg';
import type { Cluster } from '../cluster.js';
import type { StoredState } from './checks.js';

/** Reads what the primary has stored, once everything was healed. */
export async function readStoredState({ parts, password }: Cluster): Promise<StoredState> {
  const client = new pg.Client(
    `postgres://latchkey:${password}@127.0.0.1:${parts.databaseProxy.port}/latchkey`,
  );
  await client.connect();
  try {
    const users = await client.query<{ email: string; is_active: boolean }>(
      'select email, is_active from users',
    );
    const sessions = await client.query<{ id: string; is_revoked: boolean; generation: number }>(
      'select id, is_revoked, generation from sessions',
    );
    return {
      users: new Map(users.rows.map((row) => [row.email, { isActive: row.is_active }])),
      sessions: new Map(
        sessions.rows.map((row) => [row.id, { isRevoked: row.is_revoked, generation: row.generation }]),
      ),
    };
  } finally {
    await client.end();
  }
}
