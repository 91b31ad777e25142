import { parseArgs } from 'node:util';
import pg from 'pg';
import { silentLogger } from '../packages/core/src/kernel/logger.js';
import { Database } from '../packages/core/src/storage/database.js';
import { Migrator } from '../packages/core/src/storage/migrator.js';
import { resolveMigrationsDirectory } from '../packages/core/src/storage/resolve-migrations-path.js';
import { startPostgres } from '../test/support/postgres.js';
import { allLookups } from './support/plans/all-lookups.js';
import { declaredStatements } from './support/plans/declared-statements.js';
import { PlanRecorder } from './support/plans/plan-recorder.js';
import { runLookups, type LookupResult } from './support/plans/run-lookups.js';
import { coverageFaults } from './support/plans/statement-coverage.js';
import { StatementRecorder } from './support/plans/statement-recorder.js';
import { UNSEEN_STATEMENTS } from './support/plans/unseen-statements.js';
import { growPopulation } from './support/population/grow.js';
import { samplePopulation, type Population } from './support/population/population.js';

// Runs every query and change of the core on a large population and prints the scans that PostgreSQL chose. Fails when one
// reads a large table completely although an index should be used, and when a prepared statement was not run.
const { values } = parseArgs({ options: { small: { type: 'boolean' }, users: { type: 'string' } } });
/** A quick check whether an index serves every statement; only the large population shows whether it is taken. */
const SMALL = values.small === true;
const USERS = Number(values.users ?? (SMALL ? 20_000 : 1_000_000));
/** Lists read page and total at once. */
const POOL_MAX = 3;
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`;

const postgres = await startPostgres({ durable: !SMALL });
try {
  const { population, recorder } = await prepare(postgres.url);
  const database = new Database({ url: postgres.url, poolMax: POOL_MAX, preparedStatements: true });
  const statements = new StatementRecorder();
  const lookups = allLookups(statements.watch(database));
  const results = await runLookups(lookups, population, {
    database,
    recorder,
    poolMax: POOL_MAX,
    isSmall: SMALL,
  });
  await database.close();
  print(SMALL ? results.filter(({ fault }) => fault !== undefined) : results);
  const faults = [
    ...results.flatMap(({ name, fault }) => (fault === undefined ? [] : `${name}: ${fault}`)),
    ...coverageFaults(declaredStatements(), statements.seen, UNSEEN_STATEMENTS),
  ];
  for (const fault of faults) console.error(fault);
  console.log(
    `${results.length} lookups, ${statements.seen.size} prepared statements, ${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}

async function prepare(url: string): Promise<{ population: Population; recorder: PlanRecorder }> {
  const database = new Database({ url, poolMax: 1, preparedStatements: true });
  await new Migrator(database, resolveMigrationsDirectory('migrations'), silentLogger).up();
  await database.close();
  console.log(`Making ${USERS} users …`);
  const report = SMALL ? () => undefined : console.log;
  await growPopulation({ url, from: 0, to: USERS, passwordHash: HASH, report });
  const client = new pg.Client(url);
  await client.connect();
  try {
    return {
      population: await samplePopulation(client, USERS),
      recorder: await PlanRecorder.enable(client, { avoidSeqScans: SMALL }),
    };
  } finally {
    await client.end();
  }
}

function print(results: readonly LookupResult[]): void {
  if (results.length === 0) return;
  console.table(
    results.map(({ name, milliseconds, rows, scans, fault }) => ({
      lookup: name,
      ms: Number(milliseconds.toFixed(1)),
      rows,
      scans: scans.join(', ').slice(0, 100),
      verdict: fault ?? 'ok',
    })),
  );
}
