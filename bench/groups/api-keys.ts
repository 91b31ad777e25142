import { randomBytes } from 'node:crypto';
import type { BenchEnvironment } from '../support/environment.js';
import type { Group } from '../support/group.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { readComparisons, readContestant, type Reader } from './reads.js';

const GUARDED_SERVER = new URL('../servers/guarded-server.ts', import.meta.url);
const BODY = JSON.stringify({ success: true, data: { id: 'a', email: 'a@example.com', roles: [] } });
const KEY = 'requireAuth by API key';
const TOKEN = 'requireAuth by access token';

export const apiKeys: GroupSource = {
  about: "a host app's route behind a guard, called with an API key, compared with an access token",
  async open(environment, options) {
    const readers = await startServer(environment);
    return connectionsFor(options, [4, 50]).map((connections): Group => ({
      name: `api-keys-${connections}`,
      title: `A host app's route by API key and by access token, on ${connections} connections`,
      baseline: TOKEN,
      contestants: readers.map((reader) => readContestant(environment.driver, reader, connections)),
      comparisons: readComparisons(KEY, [KEY, TOKEN], 0.95),
    }));
  },
};

/** One server and one route: what differs is the credential. */
async function startServer(environment: BenchEnvironment): Promise<Reader[]> {
  const { accessToken } = await environment.signInOne();
  const settings = {
    ...environment.settings,
    API_KEYS: 'all',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
  const service = await environment.startService(settings);
  const key = await makeKey(service.url, accessToken);
  const host = await environment.startChild(GUARDED_SERVER, { env: { ...settings, BODY }, built: true });
  const processes = environment.withPostgres(host.pid);
  const by = (name: string, credential: string): Reader => ({
    ...{ name, processes, url: `${host.url}/key` },
    headers: { authorization: `Bearer ${credential}` },
  });
  return [by(KEY, key), by(TOKEN, accessToken)];
}

async function makeKey(url: string, accessToken: string): Promise<string> {
  const reply = await fetch(`${url}/auth/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  });
  const { data } = (await reply.json()) as { data?: { key: string } };
  if (!data) throw new Error(`no API key was made: status ${reply.status}`);
  return data.key;
}
