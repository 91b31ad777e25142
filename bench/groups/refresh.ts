import type { BenchEnvironment } from '../support/environment.js';
import { cpuRatio, throughputRatio, type Contestant, type Group } from '../support/group.js';
import type { ClosedLoad } from '../support/load.js';
import { meterLoad } from '../support/meter.js';
import { seedMinimalRefresh } from '../support/seed.js';
import type { GroupSource } from './group-source.js';

const MINIMAL_SERVER = new URL('../servers/minimal-refresh-server.ts', import.meta.url);

/** A refresh waits deliberately, so it takes many connections to keep the service busy. */
const CONNECTIONS = 200;
const SUBJECT = 'POST /auth/refresh';
const MINIMUM = 'one UPDATE and one signature on Express';

export const refresh: GroupSource = {
  about: 'POST /auth/refresh compared with one UPDATE and one signature on Express',
  async open(environment) {
    const contestants = [await ours(environment), await minimum(environment)];
    const pair = [SUBJECT, MINIMUM] as const;
    const group: Group = {
      name: 'refresh',
      title: `POST /auth/refresh on ${CONNECTIONS} connections`,
      baseline: MINIMUM,
      contestants,
      comparisons: [
        { label: SUBJECT, against: MINIMUM, value: throughputRatio(pair), goal: { atLeast: 1 } },
        { label: `${SUBJECT}: CPU per request`, against: MINIMUM, value: cpuRatio(pair) },
      ],
    };
    return [group];
  },
};

async function ours(environment: BenchEnvironment): Promise<Contestant> {
  const { driver, service } = environment;
  const sessions = await environment.signIn(CONNECTIONS);
  let values = sessions.map(({ refreshToken }) => refreshToken);
  const load = (seconds: number): ClosedLoad => ({
    kind: 'closed',
    url: `${service.url}/auth/refresh`,
    method: 'POST',
    body: '{"refreshToken":"{value}"}',
    chain: { values, next: ['data', 'refreshToken'] },
    connections: CONNECTIONS,
    seconds,
  });
  return {
    name: SUBJECT,
    run: async (seconds) => {
      const { chain, ...sample } = await meterLoad(
        driver,
        environment.withPostgres(service.pid),
        load(seconds),
      );
      values = chain ?? values;
      return sample;
    },
  };
}

async function minimum(environment: BenchEnvironment): Promise<Contestant> {
  const ids = await environment.sql((client) => seedMinimalRefresh(client, CONNECTIONS));
  const { url, pid } = await environment.startChild(MINIMAL_SERVER, {
    env: { DATABASE_URL: environment.postgres.url },
  });
  const load = (seconds: number): ClosedLoad => ({
    kind: 'closed',
    url: `${url}/refresh`,
    method: 'POST',
    variants: ids.map((id) => ({ body: JSON.stringify({ id }) })),
    connections: CONNECTIONS,
    seconds,
  });
  return {
    name: MINIMUM,
    run: (seconds) => meterLoad(environment.driver, environment.withPostgres(pid), load(seconds)),
  };
}
