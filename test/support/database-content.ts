import type { Sql } from './service.js';

/** Every row of every table: whatever a request has written shows in it. */
export async function databaseContent(sql: Sql): Promise<Record<string, unknown>> {
  const tables = await sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`);
  const content: Record<string, unknown> = {};
  for (const { tablename } of tables) {
    const table = String(tablename);
    // Moves by itself, while nothing is asked.
    if (table === 'webhook_cursor') continue;
    content[table] = await sql(`SELECT to_jsonb(t) AS row FROM "${table}" t ORDER BY to_jsonb(t)`);
  }
  return content;
}
