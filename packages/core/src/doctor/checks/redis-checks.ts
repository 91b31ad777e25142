import { check, error, ok, reachCheck, warning, type Check } from '../check.js';

/** GETDEL, with which one-time values are taken, came with it. */
const OLDEST = [6, 2] as const;
/** A command may take 500 ms before it is given up. */
const SLOW_MS = 100;
const FULL = 0.9;

export const redisChecks: readonly Check[] = [
  reachCheck({
    id: 'redis.reachable',
    group: 'Redis',
    title: 'Redis answers',
    why: 'Without it hand-off and passkeys fail, limits are counted within each process, and /ready fails unless told otherwise.',
    reaches: 'redis',
    fix: 'check that it runs, and that REDIS_URL leads to it',
    judge: ({ milliseconds, nodes }) => {
      const found = `${nodes.length === 1 ? '1 server' : `${nodes.length} servers`}, ${milliseconds.toFixed(1)} ms away`;
      return milliseconds > SLOW_MS
        ? warning(found, 'bring service and Redis closer together: a command is given up after 500 ms')
        : ok(found);
    },
  }),
  check({
    id: 'redis.usable',
    group: 'Redis',
    title: 'Redis can be written to and taken from',
    why: 'An account that may not run what the service runs, a replica or a full memory is as bad as no Redis.',
    needs: ['redis'],
    judge: ({ redis: { unusable } }) =>
      unusable === undefined
        ? ok('INCR, SET and GETDEL work')
        : error(
            unusable,
            'allow the account all commands on the keys of REDIS_KEY_PREFIX, on a master with memory left',
          ),
  }),
  check({
    id: 'redis.version',
    group: 'Redis',
    title: 'Redis is 6.2 or newer',
    why: 'One-time values are taken with GETDEL, which older ones do not know: hand-off and passkeys fail.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
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
    why: 'A replica refuses every write.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) =>
      nodes.some(({ role }) => role === 'slave')
        ? error(
            'a replica',
            'let REDIS_URL lead to the master; with Sentinel: redis+sentinel://host:port/name',
          )
        : ok('master'),
  }),
  check({
    id: 'redis.eviction',
    group: 'Redis',
    title: 'Redis throws nothing away by itself',
    why:
      'Under any policy but noeviction a full Redis drops marks of ended sessions, which guards in host apps then ' +
      'notice late, and ceremonies of passkeys that are under way.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
      const policies = [...new Set(nodes.map(({ evictionPolicy }) => evictionPolicy))].join(', ');
      const found = `maxmemory-policy is ${policies}${nodes.every(({ limitBytes }) => limitBytes === 0) ? ', with no limit set' : ''}`;
      return policies === 'noeviction' ? ok(found) : warning(found, 'CONFIG SET maxmemory-policy noeviction');
    },
  }),
  check({
    id: 'redis.memory',
    group: 'Redis',
    title: 'Redis has memory left',
    why: 'Once it is full it refuses writes, or throws away what is still needed.',
    needs: ['redis'],
    judge: ({ redis: { nodes } }) => {
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
