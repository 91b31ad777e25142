import type { GroupSource } from './group-source.js';
import { minimalReader, readGroup, replyOf } from './reads.js';

const BARE_SERVER = new URL('../servers/bare-server.ts', import.meta.url);

const GOALS: Readonly<Record<number, number>> = { 1: 0.33, 50: 1.6 };

export const me: GroupSource = {
  about: 'GET /auth/me compared with an Express route that sends the same JSON',
  async open(environment, { connections }) {
    const { driver, service } = environment;
    const session = await environment.signInOne();
    const headers = { authorization: `Bearer ${session.accessToken}` };
    const url = `${service.url}/auth/me`;
    const body = await replyOf(url, headers);
    const bare = await environment.startChild(BARE_SERVER, { env: { ROUTE: '/bare', BODY: body } });
    const readers = {
      subject: { name: 'GET /auth/me', url, headers, processes: environment.withPostgres(service.pid) },
      baseline: { name: 'bare Express', url: `${bare.url}/bare`, processes: { server: bare.pid } },
      limit: await minimalReader(environment, session, body),
    };
    return connections.map((count) =>
      readGroup(driver, readers, {
        name: `me-${count}`,
        title: `GET /auth/me on ${count} connection${count === 1 ? '' : 's'}`,
        connections: count,
        ...(GOALS[count] !== undefined && { goal: GOALS[count] }),
      }),
    );
  },
};
