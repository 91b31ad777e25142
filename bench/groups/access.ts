import { seedCompany } from '../support/seed.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { readGroup, replyOf } from './reads.js';

const BARE_SERVER = new URL('../servers/bare-server.ts', import.meta.url);
const CORE_SERVICE = new URL('../servers/core-service-server.ts', import.meta.url);

export const access: GroupSource = {
  about: 'GET /auth/me/access with cached entitlements, compared like me',
  async open(environment, options) {
    const core = await environment.startChild(CORE_SERVICE, { env: {} });
    const service = await environment.startService({
      CORE_BASE_URL: core.url,
      CORE_INTERNAL_API_KEY: 'bench-core-key-0123456789',
      ENTITLEMENTS_CACHE_TTL: '30',
    });
    const companyId = await environment.sql(seedCompany);
    const session = await environment.signInOne();
    const headers = { authorization: `Bearer ${session.accessToken}`, 'x-org': companyId };
    const url = `${service.url}/auth/me/access`;
    const bare = await environment.startChild(BARE_SERVER, {
      env: { ROUTE: '/bare', BODY: await replyOf(url, headers) },
    });
    const readers = {
      subject: {
        name: 'GET /auth/me/access',
        url,
        headers,
        processes: environment.withPostgres(service.pid),
      },
      baseline: { name: 'bare Express', url: `${bare.url}/bare`, processes: { server: bare.pid } },
    };
    return connectionsFor(options, [50]).map((connections) =>
      readGroup(environment.driver, readers, {
        name: `access-${connections}`,
        title: `GET /auth/me/access, entitlements cached, on ${connections} connections`,
        connections,
        ...(connections === 50 && { goal: 1.8 }),
      }),
    );
  },
};
