import { check, error, ok, reachCheck, skipped, warning, type Check } from '../check.js';

/** The first version with GETDEL, which reads one-time values. */
const OLDEST = [6, 2] as const;
/** A command is abandoned after 500 ms. */
const SLOW_MS = 100;
const FULL = 0.9;

const WITHOUT_INFO = 'the account may not use INFO';

/** A server that refuses the account was reached, so its address is right. */
function remedyFor(reason: string): string {
  if (/WRONGPASS|NOAUTH|invalid username-password/.test(reason))
    return 'correct user and password in REDIS_URL';
  if (reason.includes('DB index')) return 'correct the number of the database in REDIS_URL';
  return reason.includes('NOPERM')
    ? 'allow the account the commands of docs/databases.md#rights-in-redis'
    : 'check that it runs and that REDIS_URL is its address';
}

export const redisChecks: readonly Check[] = [
  reachCheck({
    id: 'redis.reachable',
    group: 'Redis',
    title: 'Redis answers',
    why: 'Without it hand-off and passkeys fail, limits are counted within each process, and /ready fails by default.',
    reaches: 'redis',
    fix: remedyFor,
    judge: ({ milliseconds, nodes }) => {
      const found = `${nodes.length > 1 ? `${nodes.length} servers` : '1 server'}, ${milliseconds.toFixed(1)} ms round trip`;
      return milliseconds > SLOW_MS
        ? warning(found, 'run the service closer to Redis: a command is abandoned after 500 ms')
        : ok(found);
    },
  }),
  check({
    id: 'redis.usable',
    group: 'Redis',
    title: 'Redis accepts the commands of the service',
    why: 'An account without the required commands, a replica or a full memory is as bad as no Redis.',
    needs: ['redis'],
    judge: ({ redis: { unusable } }) =>
      unusable === undefined
        ? ok('INCR, SET and GETDEL work')
        : error(
            unusable,
            'allow the account the commands of docs/databases.md#rights-in-redis on the keys of REDIS_KEY_PREFIX, on a master with memory left',
          ),
  }),
  check({
    id: 'redis.version',
    group: 'Redis',
    title: 'Redis is 6.2 or newer',
    why: 'One-time values are read with GETDEL, which older versions lack: hand-off and passkeys fail.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
      if (nodes.length === 0) return skipped(WITHOUT_INFO);
      const versions = [...new Set(nodes.map(({ version }) => version))].join(', ');
      return nodes.every(({ version }) => isRecent(version))
        ? ok(versions)
        : error(versions, 'upgrade Redis');
    },
  }),
  check({
    id: 'redis.role',
    group: 'Redis',
    title: 'REDIS_URL leads to a master',
    why: 'A replica rejects every write.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
      if (nodes.length === 0) return skipped(WITHOUT_INFO);
      return nodes.some(({ role }) => role === 'slave')
        ? error('a replica', 'point REDIS_URL to the master; with Sentinel: redis+sentinel://host:port/name')
        : ok('master');
    },
  }),
  check({
    id: 'redis.eviction',
    group: 'Redis',
    title: 'Redis evicts no keys',
    why:
      'Under any policy but noeviction a full Redis drops markers of revoked sessions, which guards in host apps then ' +
      'notice late, and passkey ceremonies in progress.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
      if (nodes.length === 0) return skipped(WITHOUT_INFO);
      const policies = [...new Set(nodes.map(({ evictionPolicy }) => evictionPolicy))].join(', ');
      const found = `maxmemory-policy is ${policies}${nodes.every(({ limitBytes }) => limitBytes === 0) ? ', with no limit set' : ''}`;
      return policies === 'noeviction' ? ok(found) : warning(found, 'CONFIG SET maxmemory-policy noeviction');
    },
  }),
  check({
    id: 'redis.memory',
    group: 'Redis',
    title: 'Redis has memory left',
    why: 'Once it is full it rejects writes or evicts keys that are still needed.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
      if (nodes.length === 0) return skipped(WITHOUT_INFO);
      const limited = nodes.filter(({ limitBytes }) => limitBytes > 0);
      if (limited.length === 0) return ok('no limit set');
      const fullest = Math.max(...limited.map(({ usedBytes, limitBytes }) => usedBytes / limitBytes));
      const found = `${Math.round(fullest * 100)}% of maxmemory in use`;
      return fullest > FULL
        ? warning(found, 'raise maxmemory, or give the service a Redis of its own')
        : ok(found);
    },
  }),
];

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
