import { connectionsFor } from '../../groups/group-source.js';
import { MINIMAL_REFRESH, minimalRefresh } from '../../groups/minimal-refresh.js';
import { cpuRatio, throughputRatio, type Contestant } from '../../support/group.js';
import type { ClosedLoad } from '../../support/load.js';
import { meterLoad, type MeteredProcesses } from '../../support/meter.js';
import { OidcProvider, refreshBody } from '../oidc-provider.js';
import type { PeerRun } from '../peer-run.js';
import type { PeerSource } from './peer-source.js';

const LATCHKEY = 'Latchkey';
const PEER = 'oidc-provider, in memory';

/** A refresh of Latchkey waits for 25 ms, so fewer connections measure that time instead of the work. */
const BUSY_CONNECTIONS = 200;

interface Refresh {
  name: string;
  processes: MeteredProcesses;
  load: Pick<ClosedLoad, 'url' | 'headers' | 'body'>;
  /** Path of the new token in the response. */
  next: readonly string[];
  /** One token for each connection. Each round continues with the last ones. */
  tokens: string[];
}

export const refreshes: PeerSource = {
  about: 'POST /auth/refresh compared with a refresh of oidc-provider that stores nothing',
  async open(run, options) {
    const connections = [...new Set([...connectionsFor(options, [4, 50]), BUSY_CONNECTIONS])];
    const most = Math.max(...connections);
    const both = [await latchkeyRefresh(run, most), await peerRefresh(run, most)];
    const minimal = await minimalRefresh(run.environment, BUSY_CONNECTIONS);
    return connections.map((count) => ({
      name: `refresh, ${count}`,
      title: `Refresh with rotation and an RS256 signature, ${count} connections`,
      contestants: [
        ...both.map((refresh) => contestant(run, refresh, count)),
        ...(count === BUSY_CONNECTIONS ? [minimal] : []),
      ],
      baseline: PEER,
      warmUpSeconds: 2,
      comparisons: [
        {
          label: 'POST /auth/refresh',
          against: PEER,
          value: throughputRatio([LATCHKEY, PEER]),
          ...(count >= BUSY_CONNECTIONS && { goal: { atLeast: 1.2 } }),
        },
        { label: 'POST /auth/refresh: CPU per request', against: PEER, value: cpuRatio([LATCHKEY, PEER]) },
        ...(count === BUSY_CONNECTIONS
          ? [{ label: MINIMAL_REFRESH, against: PEER, value: throughputRatio([MINIMAL_REFRESH, PEER]) }]
          : []),
      ],
    }));
  },
};

async function latchkeyRefresh({ environment, latchkey }: PeerRun, count: number): Promise<Refresh> {
  const tokens: string[] = [];
  for (const email of environment.emails.slice(0, count)) {
    tokens.push((await latchkey.signIn(email)).refreshToken);
  }
  return {
    name: LATCHKEY,
    processes: environment.withPostgres(latchkey.pid),
    load: { url: `${latchkey.url}/auth/refresh`, body: '{"refreshToken":"{value}"}' },
    next: ['data', 'refreshToken'],
    tokens,
  };
}

async function peerRefresh(run: PeerRun, count: number): Promise<Refresh> {
  const emails = run.environment.emails.slice(0, count);
  const server = await OidcProvider.start((env) => run.startServer('oidc-server.js', env), emails);
  await server.assertWorks();
  return {
    name: PEER,
    processes: { server: server.pid },
    load: {
      url: `${server.url}/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: refreshBody('{value}'),
    },
    next: ['refresh_token'],
    tokens: server.refreshTokens,
  };
}

function contestant({ environment }: PeerRun, refresh: Refresh, connections: number): Contestant {
  const { name, processes, load, next, tokens } = refresh;
  return {
    name,
    run: async (seconds) => {
      const { chain, ...sample } = await meterLoad(environment.driver, processes, {
        kind: 'closed',
        method: 'POST',
        ...load,
        chain: { values: tokens, next },
        connections,
        seconds,
      });
      tokens.splice(0, connections, ...(chain ?? []));
      return sample;
    },
  };
}
