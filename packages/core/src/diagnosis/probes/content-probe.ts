import type { Database } from '../../storage/database.js';
import { ContentFactsRepository, type OutboxState, type TableState } from './content-facts-repository.js';

export interface ContentFacts {
  superadmins: number;
  outbox: OutboxState;
  sessions: { ended: number; seen: number };
  tables: TableState[];
}

/** Sessions that are looked at for those that could be cleaned up. */
const SAMPLE = 50_000;

export async function probeContent(database: Database): Promise<ContentFacts> {
  const repository = new ContentFactsRepository(database);
  const [superadmins, outbox, sessions, tables] = await Promise.all([
    repository.superadmins(),
    repository.outbox(),
    repository.endedSessions(SAMPLE),
    repository.tables(),
  ]);
  return { superadmins, outbox, sessions, tables };
}
