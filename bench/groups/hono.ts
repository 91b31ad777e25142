import { connectionsFor, type GroupSource } from './group-source.js';
import { readGroup, replyOf } from './reads.js';

const HONO_SERVER = new URL('../servers/hono-server.ts', import.meta.url);

export const hono: GroupSource = {
  about: 'GET /auth/me by the Fetch handler on Hono, compared with a route of Hono that sends the same JSON',
  async open(environment, options) {
    const session = await environment.signInOne();
    const headers = { authorization: `Bearer ${session.accessToken}` };
    const body = await replyOf(`${environment.service.url}/auth/me`, headers);
    const env = { ...environment.settings, BODY: body };
    // A process for each: what one route allocates must not slow the other.
    const [host, bare] = await Promise.all([
      environment.startChild(HONO_SERVER, { env, built: true }),
      environment.startChild(HONO_SERVER, { env, built: true }),
    ]);
    const readers = {
      subject: {
        name: 'GET /auth/me on Hono',
        url: `${host.url}/auth/me`,
        headers,
        processes: environment.withPostgres(host.pid),
      },
      baseline: { name: 'bare Hono', url: `${bare.url}/bare`, processes: { server: bare.pid } },
    };
    return connectionsFor(options, [50]).map((connections) =>
      readGroup(environment.driver, readers, {
        name: `hono-${connections}`,
        title: `GET /auth/me by the Fetch handler on Hono, on ${connections} connections`,
        connections,
        ...(connections === 50 && { goal: 0.9 }),
      }),
    );
  },
};
