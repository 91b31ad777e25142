import type { BenchEnvironment } from '../support/environment.js';
import { cpuRatio, throughputRatio, type Contestant, type Group } from '../support/group.js';
import type { ClosedLoad } from '../support/load.js';
import { meterLoad } from '../support/meter.js';
import type { GroupSource } from './group-source.js';
import { MINIMAL_REFRESH, minimalRefresh } from './minimal-refresh.js';

/** A refresh waits deliberately, so it takes many connections to keep the service busy. */
const CONNECTIONS = 200;
const SUBJECT = 'POST /auth/refresh';

export const refresh: GroupSource = {
  about: 'POST /auth/refresh compared with one UPDATE and one signature on Express',
  async open(environment) {
    const contestants = [await ours(environment), await minimalRefresh(environment, CONNECTIONS)];
    const pair = [SUBJECT, MINIMAL_REFRESH] as const;
    const group: Group = {
      name: 'refresh',
      title: `POST /auth/refresh on ${CONNECTIONS} connections`,
      baseline: MINIMAL_REFRESH,
      contestants,
      comparisons: [
        { label: SUBJECT, against: MINIMAL_REFRESH, value: throughputRatio(pair), goal: { atLeast: 1 } },
        { label: `${SUBJECT}: CPU per request`, against: MINIMAL_REFRESH, value: cpuRatio(pair) },
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
