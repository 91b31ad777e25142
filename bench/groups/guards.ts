import type { BenchEnvironment } from '../support/environment.js';
import { throughputRatio, type Comparison, type Group } from '../support/group.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import {
  MINIMAL_READ,
  minimalReader,
  limitComparisons,
  readComparisons,
  readContestant,
  type Reader,
} from './reads.js';

const BARE_SERVER = new URL('../servers/bare-server.ts', import.meta.url);
const GUARDED_SERVER = new URL('../servers/guarded-server.ts', import.meta.url);

const BODY = JSON.stringify({ success: true, data: { id: 'a', email: 'a@example.com', roles: [] } });
const DEFAULT = 'requireAuth';
const HINT = "requireAuth, check: 'hint'";
const BARE = 'bare Express route';

export const guards: GroupSource = {
  about: "requireAuth before a host app's route, compared with that route in an app of its own",
  async open(environment, options) {
    const readers = await startServers(environment);
    return connectionsFor(options, [4, 50]).map((connections): Group => ({
      name: `guards-${connections}`,
      title: `A host app's route behind a guard, its server with messageClasses(app), on ${connections} connections`,
      baseline: BARE,
      contestants: readers.map((reader) => readContestant(environment.driver, reader, connections)),
      comparisons: comparisons(connections),
    }));
  },
};

async function startServers(environment: BenchEnvironment): Promise<Reader[]> {
  const session = await environment.signInOne();
  const headers = { authorization: `Bearer ${session.accessToken}` };
  const host = await environment.startChild(GUARDED_SERVER, {
    env: { ...environment.settings, BODY },
    built: true,
  });
  const bare = await environment.startChild(BARE_SERVER, { env: { ROUTE: '/bare', BODY } });
  const processes = environment.withPostgres(host.pid);
  return [
    { name: DEFAULT, url: `${host.url}/default`, headers, processes },
    { name: HINT, url: `${host.url}/hint`, headers, processes },
    { name: BARE, url: `${bare.url}/bare`, processes: { server: bare.pid } },
    await minimalReader(environment, session, BODY),
  ];
}

function comparisons(connections: number): Comparison[] {
  const goals = connections === 50;
  return [
    ...readComparisons(DEFAULT, [DEFAULT, BARE], goals ? 1 : undefined),
    ...readComparisons(HINT, [HINT, BARE], goals ? 1.1 : undefined),
    ...limitComparisons(DEFAULT, MINIMAL_READ, BARE),
    { label: HINT, against: DEFAULT, value: throughputRatio([HINT, DEFAULT]), goal: { atLeast: 1 } },
  ];
}
