import { check, error, ok, reachCheck, skipped, warning, type Check } from '../check.js';

const OLDEST_NODE = [20, 19] as const;

/** Date of the last security fix of each release line of Node.js, from its release schedule. */
const END_OF_LIFE: ReadonlyMap<number, string> = new Map([
  [20, '2026-04-30'],
  [21, '2024-06-01'],
  [22, '2027-04-30'],
  [23, '2025-06-01'],
  [24, '2028-04-30'],
  [25, '2026-06-01'],
]);

const MEBIBYTE = 1_048_576;
const LITTLE_SPACE = 1024 * MEBIBYTE;
const NO_SPACE = 100 * MEBIBYTE;

/** Milliseconds of one hash below which guessing is cheap, and above which signing in is slow. */
const QUICK_HASH = 5;
const SLOW_HASH = 500;

export const machineChecks: readonly Check[] = [
  check({
    id: 'machine.node',
    group: 'This machine',
    title: 'Node.js is supported',
    why: 'After its end of life a release line gets no more security fixes.',
    needs: ['runtime'],
    judge: ({ runtime: { version, now } }) => {
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
        return error(version, `upgrade to ${OLDEST_NODE.join('.')} or newer`);
      }
      const end = END_OF_LIFE.get(major);
      if (end === undefined) return ok(version);
      return now > new Date(end)
        ? warning(`${version}, end of life on ${end}`, 'upgrade to a release line with long-term support')
        : ok(`${version}, supported until ${end}`);
    },
  }),
  reachCheck({
    id: 'machine.hashing',
    group: 'This machine',
    title: 'A password hash is neither too quick nor too slow',
    why: 'Quick hashes are cheap to guess from a stolen database; slow ones block users and threads.',
    reaches: 'hashing',
    fix: 'reinstall the packages on this machine: npm ci',
    judge: ({ milliseconds, engine }) => {
      const found = `${milliseconds.toFixed(0)} ms by ${engine}`;
      if (milliseconds < QUICK_HASH) return warning(found, 'raise ARGON2_ITERATIONS or ARGON2_MEMORY_KIB');
      if (milliseconds > SLOW_HASH)
        return warning(found, 'lower ARGON2_ITERATIONS or ARGON2_MEMORY_KIB, or give it more CPU');
      return ok(found);
    },
  }),
  check({
    id: 'machine.space',
    group: 'This machine',
    title: 'The disk of DATA_DIR has free space',
    why: 'The embedded database stops if its disk is full.',
    needs: ['dataFolder'],
    judge: ({ dataFolder: { path, freeBytes } }) => {
      const found = `${Math.round(freeBytes / MEBIBYTE)} MiB free at ${path}`;
      const fix = 'free space, or set DATA_DIR to a folder on another disk';
      if (freeBytes < NO_SPACE) return error(found, fix);
      return freeBytes < LITTLE_SPACE ? warning(found, fix) : ok(found);
    },
  }),
  check({
    id: 'machine.data_folder',
    group: 'This machine',
    title: 'Other accounts on this machine cannot read DATA_DIR',
    why: 'It holds the signing key and the password of the embedded database.',
    needs: ['dataFolder'],
    judge: ({ dataFolder: { path, exists, exposed } }) => {
      if (!exists) return skipped(`${path} does not exist`);
      return exposed.length > 0
        ? warning(`readable by others: ${exposed.join(', ')}`, `chmod 600 ${exposed.join(' ')}`)
        : ok('only its owner can read the secrets');
    },
  }),
];
