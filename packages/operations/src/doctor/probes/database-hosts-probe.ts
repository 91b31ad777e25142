import { shownHost, splitDatabaseHosts } from '@latchkey/core/internal/kernel/database-hosts';
import { silentLogger } from '@latchkey/core/internal/kernel/logger';
import { Database } from '@latchkey/core/internal/storage/database';
import { failureReason } from '../failure-reason.js';
import { DatabaseHostRepository, type HostState } from './database-host-repository.js';

export interface DatabaseHostFacts {
  /** Without user and password. */
  host: string;
  /** The state, or the reason why it is not known. */
  state: HostState | string;
}

/** Connects to each host of a list by itself. */
export async function probeDatabaseHosts(url: string, applicationName: string): Promise<DatabaseHostFacts[]> {
  const { urls } = splitDatabaseHosts(url);
  return Promise.all(
    urls.map(async (each) => ({ host: shownHost(each), state: await stateOf(each, applicationName) })),
  );
}

async function stateOf(url: string, applicationName: string): Promise<HostState | string> {
  const options = { poolMax: 1, preparedStatements: false, applicationName, logger: silentLogger };
  const database = new Database({ url, ...options });
  try {
    return await new DatabaseHostRepository(database).state();
  } catch (error) {
    return failureReason(error);
  } finally {
    await database.close();
  }
}
