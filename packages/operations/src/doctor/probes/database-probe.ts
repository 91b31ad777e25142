import type { Database } from '@latchkey/core/internal/storage/database';
import {
  DatabaseFactsRepository,
  type ServerSettings,
  type ServerState,
} from './database-facts-repository.js';
import { PoolerRepository } from './pooler-repository.js';

export interface DatabaseFacts extends ServerState {
  settings: ServerSettings;
  clock: { ahead: number; uncertainty: number; roundTrip: number };
  pooler: PoolerFacts | undefined;
}

interface PoolerFacts {
  /** Undefined if it could not be determined. */
  holdsPrepared: boolean | undefined;
}

/** @param ownNames the application names of the service and of this program. */
export async function probeDatabase(database: Database, ownNames: readonly string[]): Promise<DatabaseFacts> {
  const repository = new DatabaseFactsRepository(database);
  // The first query shows that the server answers at all: the others wait for it.
  const settings = await repository.settings();
  const clock = await repository.clock();
  const state = await repository.state(ownNames);
  return { ...state, settings, clock, pooler: await probePooler(new PoolerRepository(database)) };
}

async function probePooler(repository: PoolerRepository): Promise<PoolerFacts | undefined> {
  return (await repository.isPooled()) ? { holdsPrepared: await repository.holdsPrepared() } : undefined;
}
