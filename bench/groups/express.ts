import { connectionsFor, type GroupSource } from './group-source.js';
import { readGroup } from './reads.js';

const EXPRESS_SERVER = new URL('../servers/express-server.ts', import.meta.url);

export const express: GroupSource = {
  about: 'GET /auth/me of the standalone service, compared with the same route mounted on Express',
  async open(environment, options) {
    const { driver, service } = environment;
    const session = await environment.signInOne();
    const headers = { authorization: `Bearer ${session.accessToken}` };
    const host = await environment.startChild(EXPRESS_SERVER, { env: environment.settings, built: true });
    const reader = (name: string, base: string, pid: number) => ({
      ...{ name, headers, url: `${base}/auth/me` },
      processes: environment.withPostgres(pid),
    });
    const readers = {
      subject: reader('GET /auth/me', service.url, service.pid),
      baseline: reader('the same on Express', host.url, host.pid),
    };
    return connectionsFor(options, [50]).map((connections) =>
      readGroup(driver, readers, {
        name: `express-${connections}`,
        title: `GET /auth/me of the standalone service and on Express, on ${connections} connections`,
        connections,
        ...(connections === 50 && { goal: 1.2 }),
      }),
    );
  },
};
