import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { mintTokens } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import {
  PASSKEY_ENV,
  passkeysOf,
  registerPasskey,
  registrationOptions,
  verifyRegistration,
} from '../support/passkey-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { signedInAt, signInOf, stepUp, stepUpAssertion } from '../support/step-up-client.js';
import { insertPasskey } from '../support/test-passkeys.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

const REFUSED = { status: 401, code: 'reauthentication_required' };
const FACTOR_CHALLENGE = 'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age=900';
const WRONG = 'a wrong password';

const credential = {
  id: 'AQID',
  rawId: 'AQID',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'oA' },
};

const ENV = {
  ...PASSKEY_ENV,
  ACCOUNT_DELETION: 'self',
  EXTERNAL_PROVIDERS: JSON.stringify([{ id: 'github', type: 'github', clientId: 'x', clientSecret: 'y' }]),
};

/** Ends the session if it is allowed, so it comes last. */
const DELETION = 'DELETE /auth/me';

/** A request of each route that changes how the caller signs in, which changes nothing else if it is allowed. */
const REQUESTS: Record<string, { path?: string; body?: () => object }> = {
  'POST /auth/password/change': {
    body: () => ({ currentPassword: WRONG, newPassword: 'another long walk' }),
  },
  'POST /auth/email/change': { body: () => ({ newEmail: `${randomUUID()}@example.com` }) },
  'POST /auth/passkeys/register/options': { body: () => ({ currentPassword: WRONG }) },
  'POST /auth/passkeys/register/verify': { body: () => ({ credential }) },
  'DELETE /auth/passkeys/{id}': { path: `/auth/passkeys/${randomUUID()}` },
  'POST /auth/factors/totp': { body: () => ({}) },
  'POST /auth/factors/totp/{id}/confirm': {
    path: `/auth/factors/totp/${randomUUID()}/confirm`,
    body: () => ({ code: '123456' }),
  },
  'DELETE /auth/factors/{id}': { path: `/auth/factors/${randomUUID()}` },
  'POST /auth/factors/recovery-codes': { body: () => ({}) },
  'DELETE /auth/me/memberships/{companyId}': { path: `/auth/me/memberships/${randomUUID()}` },
  // GitHub needs no request to the provider.
  'POST /auth/external/start': {
    body: () => ({ connectionId: 'github', challenge: 'c'.repeat(43), purpose: 'link' }),
  },
  'POST /auth/external/link': { body: () => ({ token: 'lkl_unknown', verifier: 'v'.repeat(43) }) },
  'DELETE /auth/external/identities/{id}': { path: `/auth/external/identities/${randomUUID()}` },
  'POST /auth/api-keys': { body: () => ({ name: 'Key', companyId: randomUUID() }) },
  'PATCH /auth/api-keys/{id}': { path: `/auth/api-keys/${randomUUID()}`, body: () => ({ name: 'Key' }) },
  'POST /auth/api-keys/{id}/rotate': { path: `/auth/api-keys/${randomUUID()}/rotate`, body: () => ({}) },
  [DELETION]: {},
};
/** Paths of factors that exist: users without one get 404 or 409, however old the sign-in is. */
const CONCERNS_FACTORS = /^\/auth\/(passkeys|factors)\/(\{id\}|recovery-codes)$/;
const ROUTES = allRoutes
  .filter(({ stepUp: required, path }) => required?.factorMaxAge !== undefined && path.startsWith('/auth/'))
  .map(({ method, path, stepUp: required }) => ({
    name: `${method.toUpperCase()} ${path}`,
    needsSignIn: required?.maxAge !== undefined && !CONCERNS_FACTORS.test(path),
  }))
  .toSorted((one, other) => Number(one.name === DELETION) - Number(other.name === DELETION));

function ask(service: TestService, name: string, token: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ');
  const request = REQUESTS[name];
  return service.client.send(method, request?.path ?? path, { token, body: request?.body?.() });
}

/** Returns a token of a new session of this level and age. */
async function sessionAt(
  service: TestService,
  userId: string,
  wanted: Parameters<typeof signedInAt>[2],
): Promise<string> {
  return (await signedInAt(service, await mintTokens(service, userId), wanted)).token;
}

const SESSIONS: Record<string, (service: TestService, userId: string) => Promise<string>> = {
  'aal1, fresh': (service, userId) => sessionAt(service, userId, { acr: 'aal1', age: '0' }),
  'aal2, old': (service, userId) => sessionAt(service, userId, { acr: 'aal2', age: '1 hour' }),
  'aal2, old, with a fresh password': async (service, userId) => {
    const token = await sessionAt(service, userId, { acr: 'aal2', age: '1 hour' });
    const { data } = await stepUp(service, token, { password: PASSWORD });
    expect(signInOf(data.accessToken)).toMatchObject({ acr: 'aal2' });
    return data.accessToken;
  },
  'aal2, fresh': (service, userId) => sessionAt(service, userId, { acr: 'aal2', age: '0' }),
};

/** Gives the user these factors. */
const FACTORS: Record<string, (service: TestService, userId: string) => Promise<unknown>> = {
  none: () => Promise.resolve(),
  'an app': (service, userId) => enrolFactor(service.sql, userId),
  'a passkey': (service, userId) => insertPasskey(service.sql, userId),
  'an app and a passkey': async (service, userId) => {
    await enrolFactor(service.sql, userId);
    await insertPasskey(service.sql, userId);
  },
};

/** Returns the challenge with which the route refuses; undefined if it decides otherwise. */
function refusalOf({ status, code, headers }: Answer): string | undefined {
  return status === REFUSED.status && code === REFUSED.code ? headers['www-authenticate'] : undefined;
}

it('the table has a request of every route that declares a recent second factor', () => {
  expect(ROUTES.map(({ name }) => name).toSorted()).toEqual(Object.keys(REQUESTS).toSorted());
});

describe.each(['optional', 'staff', 'all'])('changes of how users sign in, with SECOND_FACTOR=%s', (mode) => {
  let service: TestService;
  beforeAll(async () => {
    const env = { ...ENV, SECOND_FACTOR: mode, STAFF_STEP_UP: 'off', LOGIN_RATE_LIMIT: '100000' };
    service = await startTestService({ env });
  });
  afterAll(() => service.stop());

  const cells = Object.keys(FACTORS).flatMap((factors) =>
    Object.keys(SESSIONS).map((session) => ({ factors, session })),
  );
  it.each(cells)(
    'a user with the factors: $factors, in a session: $session',
    async ({ factors, session }) => {
      const user = await service.createUser({ role: mode === 'staff' ? 'PLATFORM_ADMIN' : 'NONE' });
      await FACTORS[factors]?.(service, user.id);
      const token = (await SESSIONS[session]?.(service, user.id)) ?? '';
      const hasFactor = factors !== 'none';
      for (const { name, needsSignIn } of ROUTES) {
        const refusal = refusalOf(await ask(service, name, token));
        if (hasFactor) expect(refusal, name).toBe(session === 'aal2, fresh' ? undefined : FACTOR_CHALLENGE);
        else expect(refusal !== undefined, name).toBe(needsSignIn && session === 'aal2, old');
      }
    },
  );
});

describe('a user with a passkey and no app', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: ENV });
  });
  afterAll(() => service.stop());

  const remove = (token: string, id: string): Promise<Answer> =>
    service.api('DELETE', `/auth/passkeys/${id}`, { token });

  /** The owner has registered a passkey; a thief signs in with the password. */
  async function robbed(): Promise<{
    user: TestUser;
    thief: string;
    passkeyId: string;
    key: SoftwareAuthenticator;
  }> {
    const owner = await service.signedIn();
    const key = new SoftwareAuthenticator();
    await registerPasskey(service, { ...owner, token: owner.accessToken }, key);
    const { accessToken: thief } = await service.signIn(owner);
    const [passkeyId = ''] = await passkeysOf(service, { token: thief });
    return { user: owner, thief, passkeyId, key };
  }

  it('the password alone neither removes nor replaces the passkey, nor changes password or address', async () => {
    const { thief, passkeyId } = await robbed();
    const { data } = await stepUp(service, thief, { password: PASSWORD });
    for (const token of [thief, data.accessToken]) {
      expect(await remove(token, passkeyId)).toMatchObject(REFUSED);
      const body = { currentPassword: PASSWORD, newPassword: 'the password of a thief' };
      expect(await service.api('POST', '/auth/password/change', { token, body })).toMatchObject(REFUSED);
      for (const { name } of ROUTES) expect(await ask(service, name, token), name).toMatchObject(REFUSED);
    }
    expect(await passkeysOf(service, { token: thief })).toEqual([passkeyId]);
  });

  it('the owner proves the passkey in the session, and changes everything', async () => {
    const { user, thief: token, passkeyId, key } = await robbed();
    const proof = await stepUpAssertion(service, token, key);
    const { data } = await stepUp(service, token, { credential: proof });
    const second = new SoftwareAuthenticator();
    const registered = await registerPasskey(service, { ...user, token: data.accessToken }, second);
    expect(registered.status, registered.text).toBe(201);
    expect((await remove(data.accessToken, passkeyId)).status).toBe(200);
    const body = { currentPassword: PASSWORD, newPassword: 'another long walk home' };
    const changed = await service.api('POST', '/auth/password/change', { token: data.accessToken, body });
    expect(changed.status, changed.text).toBe(200);
  });

  it('a token of before the step-up does not profit from it', async () => {
    const { user } = await robbed();
    const old = await sessionAt(service, user.id, { acr: 'aal2', age: '1 hour' });
    await service.sql('UPDATE sessions SET second_factor_at = now() WHERE id = $1', [signInOf(old).sid]);
    for (const { name } of ROUTES) expect(await ask(service, name, old), name).toMatchObject(REFUSED);
  });

  it('a passkey that is refused for a missing factor can be sent again after the step-up', async () => {
    const user = await service.signedIn();
    const owner = { ...user, token: user.accessToken };
    const [first, second] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
    const response = await second.register(await registrationOptions(service, owner));
    await registerPasskey(service, owner, first);
    expect(await verifyRegistration(service, owner, response)).toMatchObject(REFUSED);
    const credentialOfFirst = await stepUpAssertion(service, owner.token, first);
    const { data } = await stepUp(service, owner.token, { credential: credentialOfFirst });
    const stored = await verifyRegistration(service, { token: data.accessToken }, response);
    expect(stored.status, stored.text).toBe(201);
  });

  it('a passkey counts while second factors are off, and an app, whose codes are not accepted then, does not', async () => {
    const off = await serviceForThisTest({ env: { ...ENV, SECOND_FACTOR: 'off' } });
    const user = await off.signedIn();
    const owner = { ...user, token: user.accessToken };
    await enrolFactor(off.sql, user.id);
    const key = new SoftwareAuthenticator();
    expect((await registerPasskey(off, owner, key)).status).toBe(201);
    const [id = ''] = await passkeysOf(off, owner);
    const removal = (token: string): Promise<Answer> => off.api('DELETE', `/auth/passkeys/${id}`, { token });
    expect(await removal(owner.token)).toMatchObject(REFUSED);
    const { data } = await stepUp(off, owner.token, {
      credential: await stepUpAssertion(off, owner.token, key),
    });
    expect((await removal(data.accessToken)).status).toBe(200);
  });
});

describe('a change that waits while a passkey is added', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: ENV });
  });
  afterAll(() => service.stop());

  const ADDED = `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, device_type, backed_up, name)
    VALUES (gen_random_uuid(), $1, gen_random_uuid()::text, '\\x00', 'multiDevice', true, 'Key')`;
  const PASSWORD_CHANGE = { currentPassword: PASSWORD, newPassword: 'another long walk home' };

  it.each<[string, string, object?]>([
    ['POST', '/auth/password/change', PASSWORD_CHANGE],
    ['POST', '/auth/email/change', { newEmail: `${randomUUID()}@example.com` }],
    ['POST', '/auth/factors/totp', {}],
    ['POST', '/auth/factors/recovery-codes', {}],
    ['DELETE', `/auth/factors/${randomUUID()}`],
    ['DELETE', `/auth/passkeys/${randomUUID()}`],
  ])('%s %s is refused under the lock', async (method, path, body) => {
    const { id, accessToken: token } = await service.signedIn();
    const answer = await overtaken(service, { userId: id, change: ADDED }, () =>
      service.client.send(method, path, { token, body }),
    );
    expect(answer).toMatchObject(REFUSED);
  });

  it('a registration is refused under the lock', async () => {
    const user = await service.signedIn();
    const owner = { ...user, token: user.accessToken };
    const response = await new SoftwareAuthenticator().register(await registrationOptions(service, owner));
    const answer = await overtaken(service, { userId: user.id, change: ADDED }, () =>
      verifyRegistration(service, owner, response),
    );
    expect(answer).toMatchObject(REFUSED);
    expect(await passkeysOf(service, owner)).toHaveLength(1);
  });
});
