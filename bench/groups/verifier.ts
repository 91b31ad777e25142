import type { BenchEnvironment } from '../support/environment.js';
import type { Comparison, Group } from '../support/group.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { limitComparisons, readComparisons, readContestant, type Reader } from './reads.js';

const BARE_SERVER = new URL('../servers/bare-server.ts', import.meta.url);
const VERIFIED_SERVER = new URL('../servers/verified-server.ts', import.meta.url);

const BODY = JSON.stringify({ success: true, data: { id: 'a', email: 'a@example.com', roles: [] } });
const SHIPPED = 'requireAuth(verifier)';
const PREPARED = 'the same, messageClasses(app)';
const BARE = 'bare Express route';
/** What a guard costs that does nothing: the header of the token is received all the same. */
const UNREAD = 'bare Express route that is sent the token';

export const verifier: GroupSource = {
  about: "another service's route behind requireAuth(verifier), compared with that route without a guard",
  async open(environment, options) {
    const readers = await startServers(environment);
    return connectionsFor(options, [4, 50]).map((connections): Group => ({
      name: `verifier-${connections}`,
      title: `Another service's route behind the verifier, on ${connections} connections`,
      baseline: BARE,
      contestants: readers.map((reader) => readContestant(environment.driver, reader, connections)),
      comparisons: comparisons(connections),
    }));
  },
};

async function startServers(environment: BenchEnvironment): Promise<Reader[]> {
  const session = await environment.signInOne();
  const headers = { authorization: `Bearer ${session.accessToken}` };
  const bare = await environment.startChild(BARE_SERVER, { env: { ROUTE: '/bare', BODY } });
  return [
    await startVerified(environment, { name: SHIPPED, headers, classes: false }),
    await startVerified(environment, { name: PREPARED, headers, classes: true }),
    { name: UNREAD, url: `${bare.url}/bare`, headers, processes: { server: bare.pid } },
    { name: BARE, url: `${bare.url}/bare`, processes: { server: bare.pid } },
  ];
}

async function startVerified(
  environment: BenchEnvironment,
  { name, headers, classes }: { name: string; headers: Record<string, string>; classes: boolean },
): Promise<Reader> {
  const { AUTH_BASE_URL: ISSUER = '', AUTH_INTERNAL_API_KEY = '' } = environment.settings;
  const { url, pid } = await environment.startChild(VERIFIED_SERVER, {
    env: {
      ...{ BODY, ISSUER, AUTH_INTERNAL_API_KEY },
      LATCHKEY_URL: environment.service.url,
      CLASSES: String(classes),
    },
    built: true,
  });
  return { name, url: `${url}/verified`, headers, processes: { server: pid } };
}

const comparisons = (connections: number): Comparison[] => [
  ...readComparisons(SHIPPED, [SHIPPED, BARE]),
  ...limitComparisons(SHIPPED, UNREAD, BARE),
  ...readComparisons(PREPARED, [PREPARED, BARE], connections === 50 ? 0.85 : undefined),
];
