import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError, unknownClient, type Auth } from '@latchkey/core';
import { findUncleanText } from '@latchkey/core/schemas';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import type { Answer } from './support/api-client.js';
import { BODY_FIXTURES, FIXTURE_ENV, type BodyFixture, type PathParameter } from './support/body-fixtures.js';
import { signedInUser } from './support/minted-token.js';
import { bodyFieldsOf, nameOf } from './support/route-request.js';
import { INTERNAL_KEY, startTestService, type TestService } from './support/service.js';

const named = (routes: readonly Route[]) => routes.map((route) => [nameOf(route), route] as const);
/** A form has texts only, so its route has tests of its own. */
const WITH_BODY = named(allRoutes.filter(({ body, bodyType }) => body !== undefined && bodyType === 'json'));
const PARAMETERS: readonly PathParameter[] = [
  'id',
  'companyId',
  'businessUnitId',
  'userId',
  'passkeyId',
  'keyId',
  'deliveryId',
  'key',
];

let service: TestService;
let superadmin: string;

beforeAll(async () => {
  service = await startTestService({ env: FIXTURE_ENV });
  superadmin = (await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' })).token;
});

afterAll(() => service.stop());

/** The outcome of one call: a result, or a code with its message. */
interface Outcome {
  result?: unknown;
  code?: string | undefined;
  message?: string | undefined;
}

interface Asked extends BodyFixture {
  query?: { limit?: string; token?: string };
}

const tokenOf = (route: Route, { token }: Asked): string | undefined =>
  token ?? (route.caller.security.endsWith('bearer') ? superadmin : undefined);

/** Returns the parameters of the path; one that is not given is the id of nothing. */
const pathOf = ({ path = {} }: Asked): Record<string, string> =>
  Object.fromEntries(
    PARAMETERS.map((name) => [name, path[name] ?? (name === 'key' ? 'ROLE' : randomUUID())]),
  );

async function overHttp(route: Route, asked: Asked): Promise<Outcome> {
  const path = pathOf(asked);
  const target = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: PathParameter) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const answer = await service.api(route.method.toUpperCase(), `${target}${searchOf(asked)}`, {
    ...(route.body && { body: asked.body }),
    token: tokenOf(route, asked),
    headers: headersOf(route, asked),
  });
  return outcomeOf(answer, route);
}

function headersOf(route: Route, { company = randomUUID(), actorUserId = randomUUID() }: Asked) {
  const names = Object.keys(route.headers.shape);
  return {
    ...(names.includes('x-org') && { 'x-org': company }),
    ...(names.includes('x-actor-user-id') && { 'x-actor-user-id': actorUserId }),
    ...(route.caller.security === 'internal-key' && { 'x-internal-api-key': INTERNAL_KEY }),
  };
}

const searchOf = ({ query }: Asked): string => (query ? `?${new URLSearchParams(query).toString()}` : '');

const outcomeOf = ({ code, message, body }: Answer, route: Route): Outcome =>
  code === undefined
    ? { result: route.enveloped ? (body as { data: unknown }).data : body }
    : { code, message };

/** Calls the use case as the route does, with the same caller, but with input that no schema of the route has seen. */
async function directly(route: Route, asked: Asked): Promise<Outcome> {
  const { auth } = service;
  const token = tokenOf(route, asked);
  const headers: Record<string, string | undefined> = headersOf(route, asked);
  const path = pathOf(asked);
  const caller = await route.caller.identify({
    auth,
    client: unknownClient,
    method: route.method.toUpperCase(),
    header: (name) => (name === 'authorization' && token ? `Bearer ${token}` : headers[name]),
    cookieToken: () => undefined,
    params: path,
    recognize: () => undefined,
  });
  const query = { ...(route.path.includes('/invitations/preview') && { token: '' }), ...asked.query };
  try {
    const result = await route.handle({
      auth,
      caller,
      headers,
      params: path,
      query,
      body: asked.body,
      client: unknownClient,
    });
    return { result };
  } catch (error) {
    if (AuthError.is(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

/** A result as text, with a word in the place of whatever is new each time. */
const comparable = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify(result)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replaceAll(/user-[0-9a-f]{12}/g, 'user')
      .replaceAll(/pictures\/[0-9a-f]{32}/g, 'picture')
      .replaceAll(/ROLE_[0-9A-F]{8}/g, 'ROLE')
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"')
      .replaceAll(/"(secret|otpauthUri|qrSvg)":"(?:[^"\\]|\\.)*"/g, '"$1":"RANDOM"')
      .replaceAll(/"authorizationUrl":"[^"]*"/g, '"authorizationUrl":"RANDOM"')
      .replaceAll(/"hint":"[0-9A-Za-z]{4}"/g, '"hint":"RANDOM"')
      .replaceAll(/"(?:[0-9a-z]{5}-){2}[0-9a-z]{5}"/g, '"CODE"')
      // Before tokens: one random challenge in 14,000 contains what begins like a token.
      .replaceAll(/"(challenge|id)":"[\w-]{20,}"/g, '"$1":"RANDOM"')
      .replaceAll(/eyJ[\w.-]+|lk[a-z]_[\w.-]+/g, 'SECRET'),
  ) as unknown;

/** Fields of a result that the route's reply does not let out. */
const undeclared = (result: object, reply: object): string[] =>
  Object.entries(result)
    .filter(([field, value]) => value !== undefined && !(field in reply))
    .map(([field]) => field);

it('every route with a body has a fixture, and every fixture has a route', () => {
  expect(Object.keys(BODY_FIXTURES).toSorted()).toEqual(WITH_BODY.map(([name]) => name).toSorted());
});

const fixtureOf = (name: string): Promise<BodyFixture> => {
  const makeFixture = BODY_FIXTURES[name];
  if (!makeFixture) throw new TypeError(`${name} has no fixture`);
  return makeFixture(service);
};

describe('calls of the library with the body of a route', () => {
  it.each(WITH_BODY)(
    'a call with the body of %s returns what HTTP answers, in any spelling',
    async (name, route) => {
      const answered = await overHttp(route, await fixtureOf(name));
      const { result, ...refusal } = await directly(route, await fixtureOf(name));

      expect(refusal).toEqual({});
      expect(answered).toHaveProperty('result');
      expect(comparable(route.reply.parse(result))).toEqual(comparable(answered.result));
      // Identifiers of older systems: the library says them to everybody, the routes of people keep them back.
      const extra = undeclared(result as object, answered.result as object);
      expect(extra.filter((field) => field !== 'legacyIds')).toEqual([]);
      expect(JSON.stringify(result)).not.toMatch(/\$argon2|password_?hash|digest/i);
    },
  );

  it.each(WITH_BODY)('a bad body of %s is refused with the message of HTTP', async (name, route) => {
    const fixture = await fixtureOf(name);
    for (const body of badBodiesOf(route, fixture.body)) {
      const answered = await overHttp(route, { ...fixture, body });
      expect([body, answered.code]).toEqual([body, 'validation_error']);
      expect([body, await directly(route, { ...fixture, body })]).toEqual([body, answered]);
    }
  });
});

const BAD_VALUES = [['x'], {}, 1.5, true, null, '', 'a\0b', '\ud800', 'nonsense', 'x'.repeat(20_000)];

/** The good body with one field bent or missing, as far as that is a fault. */
function badBodiesOf({ body: schema }: Route, good: Record<string, unknown>): Record<string, unknown>[] {
  const fields = bodyFieldsOf({ body: schema } as Route);
  const bent = fields.flatMap((field) => BAD_VALUES.map((value) => ({ ...good, [field]: value })));
  const missing = fields.map((field) =>
    Object.fromEntries(Object.entries(good).filter(([name]) => name !== field)),
  );
  return [...bent, ...missing, {}].filter(
    (body) => findUncleanText(body) !== undefined || schema?.safeParse(body).success === false,
  );
}

describe('malformed ids', () => {
  const ofRoute = (route: Route) => [
    ...PARAMETERS.filter((name) => route.path.includes(`{${name}}`)).map((name) => ({
      path: { [name]: 'nonsense' },
    })),
    ...('x-org' in route.headers.shape ? [{ company: 'nonsense' }] : []),
    ...('x-actor-user-id' in route.headers.shape ? [{ actorUserId: 'nonsense' }] : []),
  ];
  const withIds = named(allRoutes.filter((route) => ofRoute(route).length > 0));

  it.each(withIds)('%s and its use case refuse a malformed id', async (name, route) => {
    const { body } = name in BODY_FIXTURES ? await fixtureOf(name) : { body: {} };
    for (const asked of ofRoute(route)) {
      const [answered, direct] = [
        await overHttp(route, { body, ...asked }),
        await directly(route, { body, ...asked }),
      ];
      expect([asked, answered.code, direct.code]).toEqual([asked, 'validation_error', 'validation_error']);
      expect(direct.message).toMatch(/must be (a UUID|capital letters)/);
    }
  });
});

describe('wrong queries', () => {
  const lists = named(allRoutes.filter(({ paging }) => paging !== 'none'));

  it.each(lists)('%s and its use case refuse a wrong query', async (_name, route) => {
    for (const limit of ['0', '-1', '1.5', 'x', '']) {
      const asked = { body: {}, query: { limit } };
      const answered = await overHttp(route, asked);
      expect(answered.code).toBe('validation_error');
      expect(await directly(route, asked)).toEqual(answered);
    }
  });

  it('GET /auth/invitations/preview and its use case refuse a wrong query', async () => {
    const [route] = allRoutes.filter(({ path }) => path === '/auth/invitations/preview');
    for (const token of ['', 'x'.repeat(2_000)]) {
      const answered = await overHttp(route!, { body: {}, query: { token } });
      expect(answered.code).toBe('validation_error');
      expect(await directly(route!, { body: {}, query: { token } })).toEqual(answered);
    }
  });
});

describe('input of operators', () => {
  const operator = { kind: 'operator', name: 'ann' } as const;
  const id = randomUUID();
  const calls: Record<string, (auth: Auth) => Promise<unknown>> = {
    'admin.users.getByEmail': (auth) => auth.admin.users.getByEmail('no-email'),
    'admin.users.findByPrefix': (auth) => auth.admin.users.findByPrefix('a\0bcd', 1),
    'admin.users.emailsOf': (auth) => auth.admin.users.emailsOf(['nonsense']),
    'admin.users.list': (auth) => auth.admin.users.list({ search: '\ud800' }),
    'admin.passkeys.listOfUser': (auth) => auth.admin.passkeys.listOfUser('nonsense'),
    'admin.passkeys.remove': (auth) => auth.admin.passkeys.remove(operator, 'nonsense'),
    'admin.factors.reset': (auth) => auth.admin.factors.reset(operator, id, ' '),
    'admin.passwords.set': (auth) => auth.admin.passwords.set(operator, id, { password: '' }),
    'admin.bootstrap.create': (auth) => auth.admin.bootstrap.create(operator, { email: 'no-email' }),
    'admin.bootstrap.promote': (auth) => auth.admin.bootstrap.promote(operator, 'nonsense'),
    'admin.mail.list': (auth) => auth.admin.mail.list({ to: '' }),
    'admin.mail.retry': (auth) => auth.admin.mail.retry(operator, ['nonsense']),
    'admin.sessions.list': (auth) => auth.admin.sessions.list({ userId: 'nonsense' }),
    'admin.sessions.revokeEveryone': (auth) => auth.admin.sessions.revokeEveryone(operator, { reason: ' ' }),
    'admin.audit.list': (auth) => auth.admin.audit.list({ from: new Date(NaN) }),
    'access.reportOn': (auth) => auth.access.reportOn(id, 'nonsense'),
    'access.holdersOfModule': (auth) => auth.access.holdersOfModule(id, 'not a key', []),
  };

  it.each(Object.entries(calls))('%s checks its input', async (_name, ask) => {
    await expect(ask(service.auth)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('staff who administer users', () => {
  it('an administrator cannot set an email, nor identifiers of older systems, by calling the library', async () => {
    const { id } = await service.createUser();
    const { id: userId } = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const staff = { kind: 'user', userId, globalRole: 'PLATFORM_SUPERADMIN' } as const;
    const email = 'taken-over@example.com';

    await expect(service.auth.admin.users.patch(staff, id, { email })).rejects.toMatchObject({
      code: 'validation_error',
    });
    const made = await service.auth.admin.users.create(staff, {
      email: 'fresh@example.com',
      legacyIds: { crm: '7' },
    });
    expect(made.legacyIds).toEqual({});
  });
});
