import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { TestServer } from '../../packages/testing/src/kit/test-server.js';

export interface TestDatabase {
  url: string;
  /** Drops the database, even while clients are connected to it. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** False: an empty database. Default: true, all migrations have run. */
  migrated?: boolean;
}

let server: TestServer | undefined;

/** A database of its own for a test file, cloned in some 30 ms on the server that the whole run shares. */
export async function createTestDatabase({
  migrated = true,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const shared = inject('postgres');
  if (migrated && shared.migrationFailure !== undefined) throw new Error(shared.migrationFailure);
  // Its idle connections keep no test process alive.
  const own = (server ??= new TestServer(shared.url));
  const name = `${shared.prefix}_${randomBytes(6).toString('hex')}`;
  await own.clone(migrated ? shared.template : 'template0', name);
  return { url: own.urlOf(name), drop: () => own.drop(name) };
}
