import { reportUsageErrors } from '../../tools/shared/usage-error.js';
import { readBenchOptions, type BenchCommand, type BenchOptions } from './bench-options.js';
import type { Group } from './group.js';
import { runBench } from './run-bench.js';

/** A part of a benchmark: one or more groups that need the same servers. */
export interface Source<Environment> {
  /** One line for the help. */
  about: string;
  open: (environment: Environment, options: BenchOptions) => Promise<Group[]>;
}

export interface BenchProgram<Environment> extends Omit<BenchCommand, 'groups'> {
  sources: Readonly<Record<string, Source<Environment>>>;
  /** Starts what all groups share. */
  open: () => Promise<Environment>;
}

/** Reads the command line and measures the groups that it names. */
export async function runProgram<Environment extends { close: () => Promise<void> }>(
  program: BenchProgram<Environment>,
): Promise<void> {
  const { sources, open, ...command } = program;
  const groups = Object.fromEntries(Object.entries(sources).map(([name, { about }]) => [name, about]));
  await reportUsageErrors(async () => {
    const options = readBenchOptions(process.argv.slice(2), { ...command, groups });
    if (typeof options === 'string') console.log(options);
    else await measure(program, options);
  });
}

async function measure<Environment extends { close: () => Promise<void> }>(
  { sources, open }: BenchProgram<Environment>,
  options: BenchOptions,
): Promise<void> {
  const environment = await open();
  try {
    const groups: Group[] = [];
    for (const [name, source] of Object.entries(sources)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      groups.push(...(await source.open(environment, options)));
    }
    await runBench(groups, options);
  } finally {
    await environment.close();
  }
}
