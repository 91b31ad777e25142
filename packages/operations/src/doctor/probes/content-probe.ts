import type { Database } from '@latchkey/core/internal/storage/database';
import { databaseErrorCode } from '@latchkey/core/internal/storage/database-error';
import {
  ContentFactsRepository,
  type ApiKeyState,
  type DeletionState,
  type FactorKeyUse,
  type OutboxState,
  type TableState,
  type WebhookState,
} from './content-facts-repository.js';

export interface ContentFacts {
  superadmins: number;
  outbox: OutboxState;
  sessions: { ended: number; seen: number };
  tables: TableState[];
  /** Seconds since the oldest entry of the revocation feed; 0 without any. */
  oldestRevocation: number;
  factorKeys: FactorKeyUse[];
  apiKeys: ApiKeyState;
  webhooks: WebhookState;
  deletions: DeletionState;
}

/** Maximum number of sessions in the sample. */
const SAMPLE = 50_000;

export async function probeContent(database: Database): Promise<ContentFacts> {
  try {
    return await lookInto(database);
  } catch (error) {
    const isBehind = MISSING.has(databaseErrorCode(error) ?? '');
    throw isBehind ? new Error('the schema is behind', { cause: error }) : error;
  }
}

/** PostgreSQL's codes for a missing table or column. */
const MISSING = new Set(['42P01', '42703']);

async function lookInto(database: Database): Promise<ContentFacts> {
  const repository = new ContentFactsRepository(database);
  const [superadmins, outbox, sessions, tables, oldestRevocation, factorKeys, apiKeys, webhooks, deletions] =
    await Promise.all([
      repository.superadmins(),
      repository.outbox(),
      repository.endedSessions(SAMPLE),
      repository.tables(),
      repository.oldestRevocation(),
      repository.factorKeys(),
      repository.apiKeys(),
      repository.webhooks(),
      repository.deletions(),
    ]);
  return {
    superadmins,
    outbox,
    sessions,
    tables,
    oldestRevocation,
    factorKeys,
    apiKeys,
    webhooks,
    deletions,
  };
}
