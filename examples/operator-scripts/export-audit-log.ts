import { parseArgs } from 'node:util';
import type { LatchkeyApi } from './latchkey-api.js';
import type { Script } from './script.js';

/** Fields of an entry are listed in docs/http-api.md; this script passes them on as they are. */
type AuditEntry = Record<string, unknown>;

const PAGE = 1000;

/** Writes the audit log as JSON lines, newest first: all of it, or from one instant to before another. */
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

/** The log grows while it is read; a cursor keeps its place, where an offset would slip. */
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
