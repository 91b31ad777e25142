import {
  ThrowAwayPostgres,
  type ThrowAwayOptions,
} from '../../packages/core/src/embedded-postgres/throw-away-postgres.js';

export type TestPostgres = Pick<ThrowAwayPostgres, 'url' | 'port' | 'pid' | 'stop' | 'kill' | 'restart'>;

/**
 * A PostgreSQL of its own for a test that kills or restarts one, about 0.7 s. All other tests take
 * `createTestDatabase`, which clones a database on the server that the whole run shares.
 */
export function startPostgres(options: ThrowAwayOptions = {}): Promise<TestPostgres> {
  return ThrowAwayPostgres.start(options);
}
