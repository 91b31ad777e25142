import {
  TemporaryPostgres,
  type TemporaryPostgresOptions,
} from '../../packages/testing/src/embedded-postgres/temporary-postgres.js';

export type TestPostgres = Pick<
  TemporaryPostgres,
  'url' | 'port' | 'pid' | 'output' | 'stop' | 'kill' | 'restart'
>;

/**
 * A PostgreSQL of its own for a test that kills or restarts one, about 0.7 s. All other tests take
 * `createTestDatabase`, which clones a database on the server that the whole run shares.
 */
export function startPostgres(options: TemporaryPostgresOptions = {}): Promise<TestPostgres> {
  return TemporaryPostgres.start(options);
}
