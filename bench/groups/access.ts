import type { BenchEnvironment } from '../support/environment.js';
import { seedCompany, seedRoles } from '../support/seed.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { readComparisons, readContestant, readGroup, replyOf, type Reader } from './reads.js';

const BARE_SERVER = new URL('../servers/bare-server.ts', import.meta.url);
const CORE_SERVICE = new URL('../servers/core-service-server.ts', import.meta.url);

const PLAIN = 'GET /auth/me/access';
const WITH_ROLES = 'GET /auth/me/access with 200 defined roles';
const ROLES = 200;

export const access: GroupSource = {
  about: 'GET /auth/me/access with cached entitlements, compared like me, and with 200 defined roles',
  async open(environment, options) {
    const [subject, withRoles] = await startReaders(environment);
    const bare = await environment.startChild(BARE_SERVER, {
      env: { ROUTE: '/bare', BODY: await replyOf(subject.url, subject.headers ?? {}) },
    });
    const baseline = { name: 'bare Express', url: `${bare.url}/bare`, processes: { server: bare.pid } };
    return connectionsFor(options, [50]).map((connections) => {
      const group = readGroup(
        environment.driver,
        { subject, baseline },
        {
          name: `access-${connections}`,
          title: `GET /auth/me/access, entitlements cached, on ${connections} connections`,
          connections,
          ...(connections === 50 && { goal: 1.8 }),
        },
      );
      return {
        ...group,
        contestants: [...group.contestants, readContestant(environment.driver, withRoles, connections)],
        comparisons: [...group.comparisons, ...readComparisons(WITH_ROLES, [WITH_ROLES, PLAIN], 0.95)],
      };
    });
  },
};

/** One service and two companies of as many members: one without definitions of roles, and one in which every member has a defined role. */
async function startReaders(environment: BenchEnvironment): Promise<[Reader, Reader]> {
  const core = await environment.startChild(CORE_SERVICE, { env: {} });
  const service = await environment.startService({
    CORE_BASE_URL: core.url,
    CORE_INTERNAL_API_KEY: 'bench-core-key-0123456789',
    ENTITLEMENTS_CACHE_TTL: '30',
  });
  const membersOf = (rest: number) => environment.emails.filter((_email, index) => index % 2 === rest);
  const companies = await environment.sql(async (client) => {
    const plain = await seedCompany(client, membersOf(0));
    const withRoles = await seedCompany(client, membersOf(1), `ROLE_${ROLES / 2}`);
    await seedRoles(client, withRoles, ROLES);
    return [plain, withRoles] as const;
  });
  // The first two users, so one of each company.
  const sessions = await environment.signIn(companies.length);
  const reader = (name: string, of: 0 | 1): Reader => ({
    name,
    url: `${service.url}/auth/me/access`,
    headers: { authorization: `Bearer ${sessions[of]?.accessToken}`, 'x-org': companies[of] },
    processes: environment.withPostgres(service.pid),
  });
  return [reader(PLAIN, 0), reader(WITH_ROLES, 1)];
}
