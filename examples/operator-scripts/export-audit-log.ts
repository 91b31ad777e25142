import { parseArgs } from 'node:util';
import type { LatchkeyApi } from './latchkey-api.js';
import type { Script } from './script.js';

/** An entry; its fields are described in docs/http-api.md and written unchanged. */
type AuditEntry = Record<string, unknown>;

const PAGE = 1000;

/** Writes the audit log as JSON lines, newest first, optionally limited to a period. */
export const exportAuditLog: Script = async (latchkey, args, { out, note }) => {
  const { values } = parseArgs({
    args,
    options: { from: { type: 'string' }, to: { type: 'string' }, event: { type: 'string' } },
  });
  let count = 0;
  for await (const entry of auditEntries(latchkey, values)) {
    await out(JSON.stringify(entry));
    count++;
  }
  note(`${count} entries.`);
};

/** The log grows while it is read: a cursor keeps the position, an offset would shift. */
export async function* auditEntries(
  latchkey: LatchkeyApi,
  filter: Record<string, string | undefined>,
  limit = PAGE,
): AsyncGenerator<AuditEntry> {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = { ...Object.fromEntries(given), limit: String(limit) };
  let cursor: string | undefined;
  do {
    const page = await latchkey.page<AuditEntry>('/internal/admin/audit-logs', {
      ...query,
      ...(cursor !== undefined && { cursor }),
    });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
