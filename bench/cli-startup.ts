import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readSettings } from '@latchkey/core';
import { openMigrations } from '@latchkey/operations';
import { startPostgres } from '../test/support/postgres.js';
import { median } from './support/statistics.js';

// Measures the start-up time of commands of the built command line beyond that of an empty Node.js process. Each round
// runs every command once, so that changes in machine speed affect all of them.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
/** Maximum milliseconds beyond an empty process. */
const GOAL = 250;

const CLI = fileURLToPath(new URL('../packages/cli/bin/latchkey.js', import.meta.url));

const COMMANDS: Record<string, string[]> = {
  'node -e 0': ['-e', '0'],
  'latchkey --version': [CLI, '--version'],
  'latchkey --help': [CLI, '--help'],
  'latchkey users list': [CLI, 'users', 'list'],
  'latchkey migrate status': [CLI, 'migrate', 'status'],
  'latchkey config check': [CLI, 'config', 'check'],
};

const postgres = await startPostgres();
try {
  const migrations = openMigrations(readSettings({ DATABASE_URL: postgres.url }));
  await migrations.up();
  await migrations.close();
  console.log(
    `${ROUNDS} rounds, Node ${process.version}; milliseconds beyond an empty process, goal ${GOAL}`,
  );
  console.table(resultsOf(measure({ DATABASE_URL: postgres.url })));
} finally {
  await postgres.stop();
}

function measure(env: Record<string, string>): Map<string, number[]> {
  const times = new Map(Object.keys(COMMANDS).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(COMMANDS)) times.get(name)?.push(timeOf(args, env));
  }
  return times;
}

function timeOf(args: readonly string[], env: Record<string, string>): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${String(status)}: ${stderr}`);
  return performance.now() - started;
}

function resultsOf(times: ReadonlyMap<string, readonly number[]>): Record<string, string | number>[] {
  const empty = times.get('node -e 0') ?? [];
  return [...times].map(([command, own]) => {
    const beyond = own.map((time, round) => time - (empty[round] ?? Number.NaN));
    const ratios = own.map((time, round) => time / (empty[round] ?? Number.NaN));
    return {
      command,
      median: Math.round(median(own)),
      'beyond empty (median)': Math.round(median(beyond)),
      'beyond empty (minimum)': Math.round(Math.min(...own) - Math.min(...empty)),
      'ratio (median)': median(ratios).toFixed(2),
      goal: median(beyond) <= GOAL ? 'met' : 'missed',
    };
  });
}
