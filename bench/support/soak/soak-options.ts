import { parseArgs } from 'node:util';
import { UsageError } from '../../../tools/shared/usage-error.js';

const SOAK_HELP = `npm run soak -- [options]

Keeps the built service under a mixed load and checks that memory, handles and connections stay flat: sign-ins, reads,
refreshes, lists, changes, wrong passwords, reset requests and sign-outs, with an open event stream of the revocation feed.

Options
  --minutes N  from 0.5 to 1440, default 30; memory is judged from 5 minutes on
  --clients N  clients at once, from 1 to 100, default 8`;

export interface SoakOptions {
  seconds: number;
  clients: number;
}

/** Reads the options. Returns the text of the help if it was asked for. @throws UsageError for invalid ones. */
export function readSoakOptions(args: readonly string[]): SoakOptions | string {
  const { minutes, clients, help } = parse(args);
  if (help === true) return SOAK_HELP;
  return {
    seconds: numberIn('--minutes', minutes ?? '30', [0.5, 1440]) * 60,
    clients: Math.round(numberIn('--clients', clients ?? '8', [1, 100])),
  };
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...args],
      options: { minutes: text, clients: text, help: { type: 'boolean' } },
    }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message}. Run npm run soak -- --help for the options.`);
  }
}

function numberIn(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (!(value >= least && value <= most)) {
    throw new UsageError(`${name}: ${text} is not a number from ${least} to ${most}.`);
  }
  return value;
}
