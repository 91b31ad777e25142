import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_ROLES } from '@latchkey/core';
import type { Answer } from '../support/api-client.js';
import { mintTokens } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import type { TestUser } from '../support/test-users.js';

const SECRET = 'secret-of-every-client-here';
const STAFF = GLOBAL_ROLES.filter((role) => role !== 'NONE');
const MINT = 'sessions:mint';
const PRIVILEGED = 'users:privileged';
const CLIENTS = {
  reader: ['internal:read', MINT, PRIVILEGED],
  writer: ['internal:read', 'internal:write'],
  minter: ['internal:write', MINT],
  privileged: ['internal:write', PRIVILEGED],
  everything: ['internal:write', MINT, PRIVILEGED],
};
type ClientId = keyof typeof CLIENTS;

let service: TestService;
let company: TestCompany;
const tokens = {} as Record<ClientId, string>;

beforeAll(async () => {
  const secretHashes = [`sha256:${createHash('sha256').update(SECRET).digest('hex')}`];
  const clients = Object.entries(CLIENTS).map(([id, scopes]) => ({
    id,
    secretHashes,
    audiences: ['latchkey'],
    scopes,
  }));
  service = await startTestService({ env: { SERVICE_CLIENTS: JSON.stringify(clients) } });
  company = new TestCompany(service);
  for (const clientId of Object.keys(CLIENTS) as ClientId[]) {
    const body = { clientId, clientSecret: SECRET };
    const { data } = await service.api('POST', '/auth/service-token', { body });
    tokens[clientId] = String(data.serviceToken);
  }
});
afterAll(() => service.stop());

interface Call {
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

const send = (client: ClientId, { method, path, headers, ...rest }: Call): Promise<Answer> =>
  service.api(method, path, { ...rest, headers: { 'x-service-token': tokens[client], ...headers } });

const lacking = (scope: string) => ({
  status: 403,
  code: 'forbidden',
  message: `The service token lacks the scope ${scope}.`,
});

const user = (id: string, suffix = '') => `/internal/admin/users/${id}${suffix}`;
const inCompany = (path: string) => `/internal/admin/companies/${company.id}${path}`;

/** Every write of the machine routes to a user, except minting and a change of role. */
const WRITES: { name: string; call: (target: TestUser) => Call | Promise<Call> }[] = [
  {
    name: 'changing the profile',
    call: ({ id }) => ({ method: 'PATCH', path: user(id), body: { fullName: 'Eve' } }),
  },
  {
    name: 'changing the email',
    call: ({ id, email }) => ({ method: 'PATCH', path: user(id), body: { email: `new-${email}` } }),
  },
  {
    name: 'withdrawing the approval',
    call: ({ id }) => ({ method: 'PATCH', path: user(id), body: { approvalStatus: 'PENDING' } }),
  },
  { name: 'deactivating', call: ({ id }) => ({ method: 'DELETE', path: user(id) }) },
  { name: 'revoking all sessions', call: ({ id }) => ({ method: 'POST', path: user(id, '/revoke-all') }) },
  {
    name: 'revoking all sessions on the route of both',
    call: ({ id }) => ({ method: 'POST', path: `/internal/users/${id}/revoke-all` }),
  },
  {
    name: 'revoking a session',
    call: async ({ id }) => {
      await mintTokens(service, id);
      const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [id]);
      return { method: 'POST', path: `/internal/sessions/${String(session?.id)}/revoke` };
    },
  },
  {
    name: 'a company membership',
    call: ({ id }) => ({ method: 'POST', path: inCompany('/memberships'), body: { userId: id } }),
  },
  {
    name: 'a business-unit membership',
    call: async ({ id }) => {
      await service.machine('POST', inCompany('/memberships'), { body: { userId: id } });
      const path = inCompany(`/business-units/${company.unit}/memberships`);
      return { method: 'POST', path, body: { userId: id } };
    },
  },
  {
    name: 'an approval limit',
    call: async ({ id }) => {
      await service.machine('POST', inCompany('/memberships'), { body: { userId: id } });
      const actor = await company.member();
      return {
        method: 'PATCH',
        path: inCompany(`/company-approval-limit/${id}`),
        body: { approvalLimit: '10' },
        headers: { 'x-actor-user-id': actor.id },
      };
    },
  },
];

const stateOf = ({ id }: TestUser) =>
  service.sql(
    `SELECT email, full_name, global_role, approval_status, is_active, token_version,
       (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id AND NOT s.is_revoked) AS sessions,
       (SELECT json_agg(m.*) FROM company_memberships m WHERE m.user_id = u.id) AS memberships,
       (SELECT json_agg(b.*) FROM business_unit_memberships b WHERE b.user_id = u.id) AS units
     FROM users u WHERE id = $1`,
    [id],
  );

describe.each(WRITES)('$name', ({ call }) => {
  it('a token with internal:write alone is sufficient for a user without a role', async () => {
    const answer = await send('writer', await call(await service.createUser()));
    expect(answer.status, answer.text).toBe(200);
  });

  it.each(STAFF)('a token needs users:privileged as well for a %s', async (role) => {
    // Another user has the same role, so the last-superadmin rule does not apply.
    const target = await service.createUser({ role });
    if (role === 'PLATFORM_SUPERADMIN') await service.createUser({ role });
    const request = await call(target);
    const before = await stateOf(target);
    expect(await send('writer', request)).toMatchObject(lacking(PRIVILEGED));
    expect(await send('minter', request)).toMatchObject(lacking(PRIVILEGED));
    expect(await stateOf(target), 'a refusal changes nothing').toEqual(before);
    const allowed = await send('privileged', request);
    expect(allowed.status, allowed.text).toBe(200);
  });

  it('a token without internal:write is refused, whatever else it holds', async () => {
    const request = await call(await service.createUser());
    expect(await send('reader', request)).toMatchObject(lacking('internal:write'));
  });
});

describe('minting a session', () => {
  const mint = ({ id }: TestUser): Call => ({ method: 'POST', path: user(id, '/sessions') });
  const sessions = ({ id }: TestUser) => service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [id]);

  it('minting a session needs sessions:mint beside internal:write', async () => {
    const target = await service.createUser();
    for (const client of ['writer', 'privileged'] as const) {
      expect(await send(client, mint(target))).toMatchObject(lacking(MINT));
    }
    expect(await sessions(target)).toEqual([]);
    expect((await send('minter', mint(target))).status).toBe(201);
  });

  it('minting a session for an unknown user discloses nothing without sessions:mint', async () => {
    const unknown = { ...(await service.createUser()), id: randomUUID() };
    expect(await send('writer', mint(unknown))).toMatchObject(lacking(MINT));
    expect(await send('minter', mint(unknown))).toMatchObject({ status: 404 });
  });

  it.each(STAFF)('minting a session of a %s needs users:privileged as well', async (role) => {
    const target = await service.createUser({ role });
    expect(await send('minter', mint(target))).toMatchObject(lacking(PRIVILEGED));
    expect(await sessions(target)).toEqual([]);
    expect((await send('everything', mint(target))).status).toBe(201);
  });
});

describe('a platform role', () => {
  it('a platform role is granted and revoked with users:privileged only', async () => {
    const target = await service.createUser();
    const change = (globalRole: string): Call => ({
      method: 'PATCH',
      path: user(target.id),
      body: { globalRole },
    });
    for (const role of GLOBAL_ROLES) {
      expect(await send('writer', change(role))).toMatchObject(lacking(PRIVILEGED));
    }
    expect(await stateOf(target)).toMatchObject([{ global_role: 'NONE', token_version: 1 }]);
    for (const role of ['PLATFORM_MODERATOR', 'NONE']) {
      expect((await send('privileged', change(role))).data).toMatchObject({ globalRole: role });
    }
  });

  it.each(STAFF)('%s is not given to a new user without users:privileged', async (globalRole) => {
    const body = { email: `new-${globalRole.toLowerCase()}@example.com`, globalRole };
    const create: Call = { method: 'POST', path: '/internal/admin/users', body };
    expect(await send('writer', create)).toMatchObject(lacking(PRIVILEGED));
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [body.email])).toEqual([]);
    expect((await send('privileged', create)).status).toBe(201);
  });

  it('a platform role that is granted while a request waits counts already', async () => {
    const target = await service.createUser();
    const change = `UPDATE users SET global_role = 'PLATFORM_ADMIN' WHERE id = $1`;
    const answer = await overtaken(service, { userId: target.id, change }, () =>
      send('writer', { method: 'PATCH', path: user(target.id), body: { fullName: 'Eve' } }),
    );
    expect(answer).toMatchObject(lacking(PRIVILEGED));
  });

  it('a platform role that is granted while a session waits to be revoked counts already', async () => {
    const target = await service.createUser();
    await mintTokens(service, target.id);
    const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [target.id]);
    const change = `UPDATE users SET global_role = 'PLATFORM_ADMIN' WHERE id = $1`;
    const answer = await overtaken(service, { userId: target.id, change }, () =>
      send('writer', { method: 'POST', path: `/internal/sessions/${String(session?.id)}/revoke` }),
    );
    expect(answer).toMatchObject(lacking(PRIVILEGED));
    expect(await stateOf(target)).toMatchObject([{ sessions: 1 }]);
  });
});

describe('a new user', () => {
  it('a new user without a role is created with internal:write alone, with a password and without', async () => {
    for (const fields of [{}, { password: 'seven owls over the harbour' }, { globalRole: 'NONE' }]) {
      const body = { email: `${randomUUID()}@example.com`, ...fields };
      const answer = await send('writer', { method: 'POST', path: '/internal/admin/users', body });
      expect(answer.status, answer.text).toBe(201);
    }
  });
});

describe('a host app that acts for a machine', () => {
  const machine = (scopes?: string[]) => ({
    kind: 'machine' as const,
    name: 'crm',
    ...(scopes && { scopes }),
  });
  const set = (scopes: string[] | undefined, { id }: TestUser) =>
    service.auth.admin.passwords.set(machine(scopes), id, {
      password: 'seven owls over the harbour',
    });

  it('a host app for a machine sets a password only with users:privileged', async () => {
    const target = await service.createUser();
    await expect(set(['internal:write'], target)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await stateOf(target)).toMatchObject([{ token_version: 1 }]);
    await set(['internal:write', PRIVILEGED], target);
  });

  it('a host app for a machine is bound by no scope when it names none', async () => {
    const target = await service.createUser({ role: 'PLATFORM_ADMIN' });
    await set(undefined, target);
    const { auth } = service;
    await expect(auth.sessionMinting.mint(machine(), target.id)).resolves.toHaveProperty('accessToken');
    await expect(auth.sessionMinting.mint(machine([]), target.id)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
