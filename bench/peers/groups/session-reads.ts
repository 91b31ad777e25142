import { cpuRatio, throughputRatio, type Contestant, type Goal } from '../../support/group.js';
import { meterLoad } from '../../support/meter.js';
import type { BetterAuthVariant, PeerRun } from '../peer-run.js';
import { betterAuthReaders, latchkeyReaders, type SessionReaders } from '../session-readers.js';
import type { PeerSource } from './peer-source.js';

const LATCHKEY = 'Latchkey';

/** better-auth's ways to read a session, and the multiple of their throughput that Latchkey aims for. */
const STORES: { variant: BetterAuthVariant; name: string; goal?: Goal }[] = [
  { variant: 'database', name: 'better-auth, PostgreSQL', goal: { atLeast: 20 } },
  { variant: 'redis', name: 'better-auth, Redis', goal: { atLeast: 8 } },
  { variant: 'cookie', name: 'better-auth, cookie cache' },
];

export const sessionReads: PeerSource = {
  about: 'GET /auth/me compared with get-session of better-auth',
  async open(run, { connections }) {
    const { emails } = run.environment;
    const readers = new Map([[LATCHKEY, await latchkeyReaders(run.latchkey, emails)]]);
    for (const { variant, name } of STORES) {
      readers.set(name, await betterAuthReaders(await run.betterAuth(variant), emails));
    }
    return connections.map((count) => ({
      name: `sessions, ${count}`,
      title: `Session read, ${count} connections`,
      contestants: [...readers].map(([name, reader]) => contestant(run, name, reader, count)),
      baseline: 'better-auth, PostgreSQL',
      warmUpSeconds: 2,
      comparisons: STORES.flatMap(({ name, goal }) => [
        {
          label: 'GET /auth/me',
          against: name,
          value: throughputRatio([LATCHKEY, name]),
          ...(goal && { goal }),
        },
        { label: 'GET /auth/me: CPU per request', against: name, value: cpuRatio([LATCHKEY, name]) },
      ]),
    }));
  },
};

function contestant(
  { environment }: PeerRun,
  name: string,
  { url, pid, requests }: SessionReaders,
  connections: number,
): Contestant {
  return {
    name,
    run: async (seconds) => {
      const variants = await requests();
      const load = { kind: 'closed', url, variants, connections, seconds } as const;
      return meterLoad(environment.driver, environment.withPostgres(pid), load);
    },
  };
}
