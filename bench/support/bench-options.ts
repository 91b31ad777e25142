import { parseArgs } from 'node:util';
import { didYouMean } from '../../packages/core/src/kernel/near-names.js';
import { UsageError } from '../../tools/shared/usage-error.js';

/** Options of a benchmark's command line. */
export interface BenchOptions {
  /** Names of the groups to run; all if empty. */
  only: string[];
  rounds: number;
  seconds: number;
  connections: number[];
  /** File for all samples. */
  json?: string;
}

export interface BenchCommand {
  /** npm script, such as `bench`. */
  script: string;
  /** First paragraph of the help. */
  about: string;
  /** Name and description of each group. */
  groups: Readonly<Record<string, string>>;
  defaults: Pick<BenchOptions, 'rounds' | 'seconds' | 'connections'>;
}

const OPTIONS = {
  only: { type: 'string', multiple: true },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/**
 * Reads the options. Returns the text of the help if it was asked for.
 * @throws UsageError for unknown options and groups and for values out of range.
 */
export function readBenchOptions(args: readonly string[], command: BenchCommand): BenchOptions | string {
  const { values } = parse(args, command);
  if (values.help === true) return helpOf(command);
  const { defaults } = command;
  return {
    only: (values.only ?? []).flatMap((list) => list.split(',')).map((name) => groupName(name, command)),
    rounds: count('rounds', values.rounds, 100) ?? defaults.rounds,
    seconds: count('seconds', values.seconds, 600) ?? defaults.seconds,
    connections: connectionsOf(values.connections) ?? defaults.connections,
    ...(values.json !== undefined && { json: values.json }),
  };
}

function parse(args: readonly string[], { script }: BenchCommand) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    const given = args.find((arg) => !(arg.replace(/^--|=.*$/g, '') in OPTIONS) && arg.startsWith('-'));
    const near =
      given === undefined
        ? ''
        : didYouMean(
            given,
            Object.keys(OPTIONS).map((name) => `--${name}`),
          );
    const [message] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(`${message}.${near} Run npm run ${script} -- --help for the options.`);
  }
}

function groupName(name: string, { groups }: BenchCommand): string {
  if (name in groups) return name;
  const names = Object.keys(groups);
  throw new UsageError(
    `--only: there is no group ${name}.${didYouMean(name, names)} The groups are ${names.join(', ')}.`,
  );
}

function connectionsOf(text: string | undefined): number[] | undefined {
  return text?.split(',').map((part) => count('connections', part, 1000) ?? 1);
}

function count(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new UsageError(`--${option}: ${text} is not a whole number from 1 to ${most}.`);
}

function helpOf({ script, about, groups, defaults }: BenchCommand): string {
  const width = Math.max(...Object.keys(groups).map((name) => name.length)) + 2;
  return [
    `npm run ${script} -- [options]`,
    '',
    about,
    '',
    'Options',
    '  --only NAME         runs one group; repeat it or separate names by commas for more',
    `  --rounds N          quiet rounds of each contestant, default ${defaults.rounds}`,
    `  --seconds N         length of a round, default ${defaults.seconds}`,
    `  --connections LIST  numbers of connections, default ${defaults.connections.join(',')}; groups may have fewer`,
    '  --json FILE         writes every sample of every round',
    '',
    'Groups',
    ...Object.entries(groups).map(([name, text]) => `  ${name.padEnd(width)}${text}`),
  ].join('\n');
}
