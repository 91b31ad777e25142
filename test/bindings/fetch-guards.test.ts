import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import {
  createGuards,
  errorResponse,
  findAuth,
  getAuth,
  type CallerRequirements,
  type Guards,
} from '@latchkey/http';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let guards: Guards;
let user: SignedInTestUser;
let staff: SignedInTestUser;

beforeAll(async () => {
  service = await startTestService();
  guards = createGuards(service.auth, { clientAddress: () => '192.0.2.9' });
  user = await signedInUser(service);
  staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
});
afterAll(() => service.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const fetched = (headers: Record<string, string> = {}): Request =>
  new Request('https://app.example.com/reports/7', { headers });

/** A request of Node.js as test libraries make them: nothing but a method, an address and headers. */
const injected = (headers: Record<string, string>): IncomingMessage =>
  ({ method: 'GET', url: '/reports/7', headers }) as unknown as IncomingMessage;

function ofNode(headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url: '/reports/7' });
  for (const [name, value] of Object.entries(headers)) request.headers[name] = value;
  request.rawHeaders.push(...Object.entries(headers).flat());
  return request;
}

describe('guards.check', () => {
  it.each([
    ['the Fetch API', fetched],
    ['Node.js', ofNode],
    ['a test that injects it', injected],
  ])('guards.check returns the caller of a request of %s', async (_what, requestWith) => {
    const request = requestWith(bearer(user.token));
    expect((await guards.check(request)).userId).toBe(user.id);
    expect(getAuth(request).userId).toBe(user.id);
    await expect(guards.check(requestWith({}))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(guards.check(requestWith(bearer(`${user.token}x`)))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('guards.check requires everything that it is given', async () => {
    const requirements: CallerRequirements = {
      platformRole: ['PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'],
      factors: 1,
    };
    expect((await guards.check(fetched(bearer(staff.token)), requirements)).userId).toBe(staff.id);
    await expect(guards.check(fetched(bearer(user.token)), requirements)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      guards.check(fetched(bearer(staff.token)), { ...requirements, factors: 2 }),
    ).rejects.toMatchObject({
      code: 'reauthentication_required',
    });
    await expect(guards.check(fetched(bearer(staff.token)), { fresh: '5m' })).rejects.toMatchObject({
      code: 'reauthentication_required',
    });
  });

  it('a denied request is audited with its path and the address of its client', async () => {
    const headers = { ...bearer(user.token), 'x-request-id': 'denied-by-check' };
    await expect(guards.check(fetched(headers), { platformRole: 'PLATFORM_ADMIN' })).rejects.toThrow(
      AuthError,
    );
    const rows = await service.sql(
      "SELECT event, ip_address, details FROM auth_audit_logs WHERE request_id = 'denied-by-check'",
    );
    expect(rows).toEqual([
      { event: 'access_denied', ip_address: '192.0.2.9', details: { method: 'GET', path: '/reports/7' } },
    ]);
  });

  it.each([
    [{ rol: 'ADMIN' }, /unknown option rol\. Did you mean role/],
    [{ fresh: 'soon' }, /the age must be a duration/],
    [{ factors: 3 }, /must be 1 or 2/],
    [{ platformRole: 'ADMIN' }, /not a platform role/],
    [{ module: 'billing' }, /no source of entitlements is configured/],
  ])('requirements %j are a mistake that is named when the handler is made', (requirements, message) => {
    const make = () => guards.withAuth(requirements as CallerRequirements, () => new Response());
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it('what is not a request is rejected with the line to write', async () => {
    await expect(async () => guards.check(undefined as never)).rejects.toThrow(
      /Write: await guards\.check\(request\)/,
    );
  });
});

describe('guards.checkIfAny', () => {
  it('guards.checkIfAny returns undefined without credentials, and rejects an invalid token', async () => {
    const anonymous = fetched();
    expect(await guards.checkIfAny(anonymous)).toBeUndefined();
    expect(findAuth(anonymous)).toBeUndefined();
    expect((await guards.checkIfAny(fetched(bearer(user.token))))?.userId).toBe(user.id);
    await expect(guards.checkIfAny(fetched(bearer('x')))).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('guards.withAuth', () => {
  it('guards.withAuth passes the caller and the context of the host to the handler', async () => {
    const GET = guards.withAuth({}, (_request, { userId }, context: { params: { id: string } }) =>
      Response.json({ userId, id: context.params.id }),
    );
    const response = await GET(fetched(bearer(user.token)), { params: { id: '7' } });
    expect([response.status, await response.json()]).toEqual([200, { userId: user.id, id: '7' }]);
  });

  it('guards.withAuth responds to others as a route of the service does', async () => {
    const GET = guards.withAuth({}, () => new Response('never'));
    const response = await GET(fetched());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ success: false, error: { code: 'unauthorized' } });
  });

  it('a session that has ended is rejected by the next check', async () => {
    const leaving = await signedInUser(service);
    const GET = guards.withAuth({}, () => new Response('in'));
    expect((await GET(fetched(bearer(leaving.token)))).status).toBe(200);
    await service.api('POST', '/auth/logout', { body: { refreshToken: leaving.refreshToken } });
    expect((await GET(fetched(bearer(leaving.token)))).status).toBe(401);
  });
});

describe('errorResponse', () => {
  it('errorResponse responds to an AuthError, as problem details if the client prefers them', async () => {
    const problem = fetched({ accept: 'application/problem+json' });
    const response = errorResponse(AuthError.notFound('The report'), problem);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
    expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('errorResponse leaves every other error to the host', () => {
    const error = new RangeError('too many');
    expect(() => errorResponse(error, fetched())).toThrow(error);
  });
});
