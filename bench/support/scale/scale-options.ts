import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { UsageError } from '../../../tools/shared/usage-error.js';
import { BYTES_PER_USER } from '../population/grow.js';

/** Times of creation are spread over a year. */
const MOST_USERS = 1_000_000;
const STEPS = [1_000, 100_000];
/** The server's own files, the write-ahead log and space for sorting. */
const BASE_BYTES = 3e9;

const SCALE_HELP = `npm run bench:scale -- [options]

Fills one database in steps and measures the service at each size: hot routes, every list and count, and what others notice
while the largest list is read. A user has three sessions and five audit rows; a tenth of all users belong to one company.

Options
  --users N    the largest size, from 1000 to ${MOST_USERS}, default ${MOST_USERS}
  --json FILE  writes all figures`;

export interface ScaleOptions {
  /** Ascending. */
  sizes: number[];
  json?: string;
}

/** Reads the options. Returns the text of the help if it was asked for. @throws UsageError for invalid ones. */
export function readScaleOptions(args: readonly string[]): ScaleOptions | string {
  const { users, json, help } = parse(args);
  if (help === true) return SCALE_HELP;
  const most = Number(users ?? MOST_USERS);
  if (!Number.isInteger(most) || most < 1_000 || most > MOST_USERS) {
    throw new UsageError(`--users: ${users ?? ''} is not a whole number from 1000 to ${MOST_USERS}.`);
  }
  return {
    sizes: [...STEPS.filter((step) => step < most), most],
    ...(json !== undefined && { json }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { users: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } },
    }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message}. Run npm run bench:scale -- --help for the options.`);
  }
}

/** Returns a line about the space on disk. @throws UsageError if it does not suffice. */
export function checkDisk(users: number): string {
  const { bavail, bsize } = statfsSync(tmpdir());
  const needed = users * BYTES_PER_USER + BASE_BYTES;
  const line = `${users} users need about ${gigabytes(needed)} of disk in ${tmpdir()}; ${gigabytes(bavail * bsize)} are free.`;
  if (bavail * bsize < needed) {
    throw new UsageError(`${line} Free some, set TMPDIR, or choose fewer with --users.`);
  }
  return line;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
