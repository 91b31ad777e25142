import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { CoreService } from '../../examples/core-service/core-service.js';
import { mintActing } from '../support/acting.js';
import { answerChallenge, enrol } from '../support/authenticator-app.js';
import { ExternalClient, externalEnv, googlePerson, logOutAt, reasonOf } from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider, type Person } from '../support/hostile-provider.js';
import { mintTokens } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { stepUp } from '../support/step-up-client.js';
import { TestCompany } from '../support/test-company.js';

const CORE_KEY = 'key-of-the-core-service';
const asked: unknown[] = [];

let provider: HostileProvider;
let core: CoreService;
let service: TestService;
let client: ExternalClient;

beforeAll(async () => {
  provider = await HostileProvider.start();
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({
    env: externalEnv(provider, {
      CORE_BASE_URL: core.url,
      CORE_INTERNAL_API_KEY: CORE_KEY,
      EXTERNAL_SIGN_UP: 'true',
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
    }),
    extensions: {
      before: {
        login: ({ method, connectionId }) => void asked.push({ method, connectionId }),
        link: ({ user, connectionId }) => {
          asked.push({ linked: connectionId });
          if (user.email.startsWith('unlinkable')) throw AuthError.forbidden('Not here.', 'app.no_links');
        },
      },
    },
  });
  client = new ExternalClient(service, provider);
});
afterAll(async () => {
  await service.stop();
  await core.stop();
  provider.stop();
});

const isLive = async (token: string): Promise<boolean> =>
  (await service.api('GET', '/auth/me', { token })).status === 200;
const signInOf = (token: string) => takeApart(token).claims;
const identities = async (token: string) =>
  (await service.api('GET', '/auth/external/identities', { token })).items;
const unlink = (id: string, token: string) =>
  service.api('DELETE', `/auth/external/identities/${id}`, { token });

/** A user with a password who has linked a person at a connection. */
async function linkedUser(connection = 'strict', claims: Partial<Person> = {}) {
  const user = await service.signedIn();
  const person: Person = { sub: randomUUID(), ...claims };
  const identityId = await client.linked(connection, person, user.accessToken);
  return { ...user, person, identityId };
}

describe('what a session by another service is', () => {
  it('has one factor, and a second one is asked for after it', async () => {
    const user = await linkedUser();
    const { app } = await enrol(service, user.accessToken);
    const { data } = await client.signIn('strict', user.person);
    const { challenge } = data.secondFactor as { challenge: string };
    expect(data.accessToken).toBeUndefined();
    const done = await answerChallenge(service, { challenge, code: app.next() });
    expect(signInOf(done.data.accessToken)).toMatchObject({
      amr: ['fed', 'otp', 'mfa'],
      acr: 'aal2',
      sub: user.id,
    });
    const [session] = (await service.api('GET', '/auth/sessions', { token: done.data.accessToken })).items;
    expect(session).toMatchObject({ origin: 'external' });
  });

  it('has two factors only if the connection is trusted to say so', async () => {
    const trusted = await linkedUser('strict', { amr: ['pwd', 'mfa'] });
    await enrol(service, trusted.accessToken);
    const { data } = await client.signIn('strict', trusted.person);
    expect(signInOf(data.accessToken)).toMatchObject({ amr: ['fed', 'mfa'], acr: 'aal2' });
    const untrusted = await linkedUser('plain', { amr: ['pwd', 'mfa'] });
    const other = await client.signIn('plain', untrusted.person);
    expect(signInOf(other.data.accessToken)).toMatchObject({ amr: ['fed'], acr: 'aal1' });
  });

  it('does not meet the second factor that a company or the platform requires', async () => {
    const user = await linkedUser('plain');
    const company = new TestCompany(service);
    await company.join(user.id, { role: 'TENANT_SUPERADMIN' });
    core.set(company.id, { modules: ['billing'], requireSecondFactor: true });
    const { data } = await client.signIn('plain', user.person);
    const answer = await service.api('GET', '/auth/me/access', {
      token: data.accessToken,
      headers: { 'x-org': company.id },
    });
    expect(answer).toMatchObject({ status: 403, code: 'second_factor_required' });
    const own = await startTestService({ env: externalEnv(provider, { SECOND_FACTOR: 'staff' }) });
    const staff = await own.createUser({ role: 'PLATFORM_ADMIN' });
    const person = { sub: randomUUID() };
    await own.sql(
      `INSERT INTO external_identities (id, user_id, connection_id, subject) VALUES (gen_random_uuid(), $1, 'plain', $2)`,
      [staff.id, person.sub],
    );
    const result = await new ExternalClient(own, provider).signIn('plain', person);
    expect(result.data.secondFactor).toMatchObject({ enrol: true });
    await own.stop();
  });

  it('is not a recent sign-in, unless the provider says when it asked for the password', async () => {
    const silent = await linkedUser('plain', { auth_time: Math.floor(Date.now() / 1000) });
    const { data } = await client.signIn('plain', silent.person);
    expect(signInOf(data.accessToken).auth_time).toBe(0);
    const [identity] = await identities(data.accessToken);
    expect(await unlink(identity!.id, data.accessToken)).toMatchObject({ code: 'reauthentication_required' });
    const time = Math.floor(Date.now() / 1000) - 30;
    const said = await linkedUser('strict', { auth_time: time });
    expect(signInOf((await client.signIn('strict', said.person)).data.accessToken).auth_time).toBe(time);
    const future = await linkedUser('strict', { auth_time: time + 86_400 });
    const { auth_time: limited } = signInOf((await client.signIn('strict', future.person)).data.accessToken);
    expect(Number(limited)).toBeLessThanOrEqual(Date.now() / 1000 + 1);
  });

  it('asks the hook of the app with the connection', async () => {
    const user = await linkedUser('plain');
    asked.length = 0;
    await client.signIn('plain', user.person);
    expect(asked).toEqual([{ method: 'external', connectionId: 'plain' }]);
  });
});

describe('linking another account', () => {
  it('lists it, mails the user, and leaves their other ways to sign in', async () => {
    const user = await linkedUser('plain', { email: 'other@example.com' });
    expect(await identities(user.accessToken)).toMatchObject([
      {
        id: user.identityId,
        connectionId: 'plain',
        label: 'Plain',
        email: 'other@example.com',
        lastUsedAt: null,
      },
    ]);
    const mails = await service.sql(`SELECT kind FROM mail_outbox WHERE recipient = $1`, [user.email]);
    expect(mails).toContainEqual({ kind: 'identity_linked' });
    expect((await service.signIn(user)).accessToken).toBeDefined();
  });

  it('refuses the account of another user, and does not say whose it is', async () => {
    const { person, email } = await linkedUser();
    const other = await service.signedIn();
    const begun = await client.begin('strict', { purpose: 'link' }, other.accessToken);
    const answer = await client.finish(client.response(begun, person), other.accessToken);
    expect([answer.status, reasonOf(answer)]).toEqual([409, 'identity_taken']);
    expect(answer.text).not.toContain(email);
    expect(await identities(other.accessToken)).toEqual([]);
  });

  it('refuses the eleventh', async () => {
    const user = await service.signedIn();
    for (let count = 0; count < 10; count += 1)
      await client.linked('plain', { sub: randomUUID() }, user.accessToken);
    const begun = await client.begin('plain', { purpose: 'link' }, user.accessToken);
    const answer = await client.finish(client.response(begun, { sub: randomUUID() }), user.accessToken);
    expect([answer.status, reasonOf(answer)]).toEqual([409, 'identity_limit_reached']);
  });

  it('needs a recent sign-in with the second factor of a user who has one, and is not for actors', async () => {
    const user = await service.signedIn();
    await enrol(service, user.accessToken);
    const answer = await client.start('plain', { purpose: 'link' }, user.accessToken);
    expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
    const minted = await mintTokens(service, (await service.createUser()).id);
    expect((await client.start('plain', { purpose: 'link' }, minted.token)).status).toBe(401);
    const acting = await mintActing(service, (await service.createUser()).id);
    for (const purpose of ['link', 'step-up'])
      expect(await client.start('strict', { purpose }, acting.token)).toMatchObject({ status: 403 });
  });

  it('is refused by the hook of the app', async () => {
    const user = await service.signedIn({ email: `unlinkable-${randomUUID()}@example.com` });
    const begun = await client.begin('plain', { purpose: 'link' }, user.accessToken);
    const answer = await client.finish(client.response(begun, { sub: randomUUID() }), user.accessToken);
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'app.no_links']);
    expect(await identities(user.accessToken)).toEqual([]);
  });
});

describe('unlinking an account', () => {
  it('ends the sessions that it opened, and no others', async () => {
    const user = await linkedUser();
    const { data } = await client.signIn('strict', user.person);
    expect((await unlink(user.identityId, user.accessToken)).status).toBe(200);
    expect(await isLive(data.accessToken)).toBe(false);
    expect(
      (await service.api('POST', '/auth/refresh', { body: { refreshToken: data.refreshToken } })).status,
    ).toBe(401);
    expect(await isLive(user.accessToken)).toBe(true);
    const mails = await service.sql(`SELECT kind FROM mail_outbox WHERE recipient = $1`, [user.email]);
    expect(mails).toContainEqual({ kind: 'identity_unlinked' });
  });

  it('leaves no sign-in that waits for a second factor', async () => {
    const user = await linkedUser();
    const { app } = await enrol(service, user.accessToken);
    const { data } = await client.signIn('strict', user.person);
    const { challenge } = data.secondFactor as { challenge: string };
    const raised = await stepUp(service, user.accessToken, { code: app.next() });
    expect((await unlink(user.identityId, raised.data.accessToken)).status).toBe(200);
    await service.sql('UPDATE totp_factors SET last_step = 0 WHERE user_id = $1', [user.id]);
    expect((await answerChallenge(service, { challenge, code: app.codeAt(0) })).status).toBe(401);
  });

  it('is refused for the last way to sign in', async () => {
    const person = googlePerson();
    const { data } = await client.signIn('strict', { ...person, auth_time: Math.floor(Date.now() / 1000) });
    const [identity] = await identities(data.accessToken);
    const answer = await unlink(identity!.id, data.accessToken);
    expect(answer).toMatchObject({ status: 409, code: 'conflict' });
    expect(await isLive(data.accessToken)).toBe(true);
    // An account of a connection that is gone is no way to sign in.
    await service.sql(
      `INSERT INTO external_identities (id, user_id, connection_id, subject)
       SELECT gen_random_uuid(), user_id, 'gone', subject FROM external_identities WHERE id = $1`,
      [identity!.id],
    );
    expect((await unlink(identity!.id, data.accessToken)).status).toBe(409);
  });

  it('does not touch the account of another user', async () => {
    const [one, other] = [await linkedUser(), await linkedUser()];
    const answer = await unlink(one.identityId, other.accessToken);
    expect(answer).toMatchObject({ status: 404, code: 'not_found' });
    expect(await identities(one.accessToken)).toHaveLength(1);
  });
});

describe('a step-up by another service', () => {
  async function begun(user: { accessToken: string; person: Person }, person = user.person) {
    const flow = await client.begin('strict', { purpose: 'step-up' }, user.accessToken);
    expect(new URL(flow.authorizationUrl).searchParams.get('max_age')).toBe('0');
    return client.response(flow, person);
  }

  it.each(['POST /auth/step-up', 'POST /auth/external/finish'])('raises the session at %s', async (route) => {
    const user = await linkedUser();
    const old = { auth_time: 1 };
    const response = await begun(user);
    const answer = route.endsWith('finish')
      ? await client.finish(response, user.accessToken)
      : await stepUp(service, user.accessToken, { external: response });
    expect(answer.status, answer.text).toBe(200);
    const claims = signInOf(answer.data.accessToken);
    expect(claims).toMatchObject({ sub: user.id, amr: ['pwd', 'fed', 'user'], acr: 'aal1' });
    expect(Number(claims.auth_time)).toBeGreaterThan(old.auth_time);
    expect((await client.finish(response, user.accessToken)).status).toBe(401);
  });

  it('needs the account that is linked to the user', async () => {
    const user = await linkedUser();
    const other = await linkedUser();
    for (const person of [{ sub: randomUUID() }, other.person]) {
      const answer = await stepUp(service, user.accessToken, { external: await begun(user, person) });
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  it('needs a sign-in there that is younger than a minute', async () => {
    const user = await linkedUser();
    for (const time of [undefined, Math.floor(Date.now() / 1000) - 120]) {
      const response = await begun(user);
      provider.with({ claims: { auth_time: time } });
      expect(await stepUp(service, user.accessToken, { external: response })).toMatchObject({ status: 401 });
    }
  });

  it('is not offered by a connection that does not ask for the password again', async () => {
    const user = await linkedUser('plain');
    const answer = await client.start('plain', { purpose: 'step-up' }, user.accessToken);
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('connectionId') as string });
  });

  it('does not replace a second factor unless the connection is trusted to have asked for one', async () => {
    const user = await linkedUser();
    await enrol(service, user.accessToken);
    const weak = await stepUp(service, user.accessToken, { external: await begun(user) });
    expect(await unlink(user.identityId, weak.data.accessToken)).toMatchObject({
      code: 'reauthentication_required',
    });
    const strong = await stepUp(service, user.accessToken, {
      external: await begun(user, { ...user.person, amr: ['mfa'] }),
    });
    expect(signInOf(strong.data.accessToken).acr).toBe('aal2');
    expect((await unlink(user.identityId, strong.data.accessToken)).status).toBe(200);
  });
});

describe('the logout of a provider', () => {
  const sid = () => `sid-${randomUUID()}`;

  it('ends the sessions of the person, with those that came from them', async () => {
    const user = await linkedUser();
    const { data } = await client.signIn('strict', user.person);
    expect((await logOutAt(service, await provider.logoutToken({ sub: user.person.sub }))).status).toBe(200);
    expect(await isLive(data.accessToken)).toBe(false);
    expect(await isLive(user.accessToken)).toBe(true);
  });

  it('ends the session that it names, and no other of the person', async () => {
    const [one, two] = [sid(), sid()];
    const user = await linkedUser();
    const first = await client.signIn('strict', { ...user.person, sid: one });
    const second = await client.signIn('strict', { ...user.person, sid: two });
    for (const claims of [{ sid: one }, { sub: user.person.sub, sid: one }])
      expect((await logOutAt(service, await provider.logoutToken(claims))).status).toBe(200);
    expect(await isLive(first.data.accessToken)).toBe(false);
    expect(await isLive(second.data.accessToken)).toBe(true);
  });

  it('ends a session that a second factor has completed', async () => {
    const session = sid();
    const user = await linkedUser();
    const { app } = await enrol(service, user.accessToken);
    const { data } = await client.signIn('strict', { ...user.person, sid: session });
    const { challenge } = data.secondFactor as { challenge: string };
    const done = await answerChallenge(service, { challenge, code: app.next() });
    await logOutAt(service, await provider.logoutToken({ sid: session }));
    expect(await isLive(done.data.accessToken)).toBe(false);
  });

  it('is accepted once', async () => {
    const user = await linkedUser();
    const token = await provider.logoutToken({ sub: user.person.sub });
    const answers = await Promise.all(Array.from({ length: 5 }, () => logOutAt(service, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { data } = await client.signIn('strict', user.person);
    expect(await logOutAt(service, token)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await isLive(data.accessToken)).toBe(true);
  });

  const hour = 3_600;
  const at = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
  it.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another client' }],
    ['without the event', { events: undefined }],
    ['of another event', { events: { 'https://example.com/event': {} } }],
    ['with a nonce, as ID tokens have it', { nonce: 'n' }],
    ['without an id', { jti: undefined }],
    ['without a person and a session', { sub: undefined }],
    ['that has expired', { exp: at(-hour) }],
    ['that is old', { iat: at(-hour) }],
    ['without a time', { iat: undefined }],
  ] as [string, Record<string, unknown>][])('with a token %s ends nothing', async (_what, claims) => {
    const user = await linkedUser();
    const { data } = await client.signIn('strict', user.person);
    const token = await provider.logoutToken({ sub: user.person.sub, ...claims });
    expect(await logOutAt(service, token)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await isLive(data.accessToken)).toBe(true);
  });

  it.each([
    ['another key', { signature: 'other key' }],
    ['no signature', { algorithm: 'none' }],
    ['a public key as a secret', { algorithm: 'HS256' }],
  ] as const)('with a token by %s ends nothing', async (_what, faults) => {
    const user = await linkedUser();
    const { data } = await client.signIn('strict', user.person);
    provider.with(faults);
    const token = await provider.logoutToken({ sub: user.person.sub });
    expect((await logOutAt(service, token)).status).toBe(400);
    expect(await isLive(data.accessToken)).toBe(true);
  });

  it('with a token of another type ends nothing, and neither does an ID token', async () => {
    const user = await linkedUser();
    const { data } = await client.signIn('strict', user.person);
    expect(
      (await logOutAt(service, await provider.logoutToken({ sub: user.person.sub }, 'at+jwt'))).status,
    ).toBe(400);
    const idToken = provider.tokens.findLast((token) => token.startsWith('eyJ')) ?? '';
    for (const token of [idToken, 'nonsense', 'a.b.c', ''])
      expect((await logOutAt(service, token)).status).toBe(400);
    expect(await isLive(data.accessToken)).toBe(true);
  });

  it('ends sessions of an issuer that the settings spell in another way', async () => {
    const env = externalEnv(provider);
    const spelled = `HTTP://${provider.url.slice('http://'.length)}/`;
    const [, plain] = JSON.parse(env.EXTERNAL_PROVIDERS ?? '[]') as object[];
    const own = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { ...env, EXTERNAL_PROVIDERS: JSON.stringify([{ ...plain, issuer: spelled }]) },
    });
    const user = await linkedUser('plain');
    const { data } = await new ExternalClient(own, provider).signIn('plain', user.person);
    const token = await provider.logoutToken({ sub: user.person.sub });
    expect((await logOutAt(own, token)).status).toBe(200);
    expect(await isLive(data.accessToken)).toBe(false);
    await own.stop();
  });

  it('is a form, with the field once', async () => {
    const token = await provider.logoutToken({ sub: randomUUID() });
    const send = (raw: string, type: string) =>
      service.api('POST', '/auth/external/backchannel-logout', { raw, headers: { 'content-type': type } });
    const form = 'application/x-www-form-urlencoded';
    expect((await send(JSON.stringify({ logout_token: token }), 'application/json')).status).toBe(400);
    expect((await send(`logout_token=${token}&logout_token=${token}`, form)).status).toBe(400);
    expect((await send('', form)).status).toBe(400);
    expect((await send(`logout_token=${token}`, `${form}; charset=utf-8`)).status).toBe(200);
  });
});

describe('a provider that is no longer configured', () => {
  it('signs no one in, also in flows and with identities from before; its identities stay', async () => {
    const user = await linkedUser('plain');
    const begun = await client.begin('plain');
    const without = externalEnv(provider);
    const providers = JSON.parse(without.EXTERNAL_PROVIDERS ?? '[]') as { id: string }[];
    const own = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { ...without, EXTERNAL_PROVIDERS: JSON.stringify(providers.filter(({ id }) => id !== 'plain')) },
    });
    const browser = new ExternalClient(own, provider);
    const answer = await browser.finish(client.response(begun, user.person));
    expect([answer.status, reasonOf(answer)]).toEqual([404, 'connection_not_found']);
    expect((await browser.start('plain')).status).toBe(404);
    const { accessToken: token } = await own.signIn(user);
    const { items } = await own.api('GET', '/auth/external/identities', { token });
    expect(items).toMatchObject([{ connectionId: 'plain', label: null }]);
    await own.stop();
  });

  it('leaves no route while there is none', async () => {
    const own = await startTestService();
    const { accessToken: token } = await own.signedIn();
    for (const [method, path] of [
      ['GET', '/auth/external'],
      ['POST', '/auth/external/start'],
      ['POST', '/auth/external/finish'],
      ['POST', '/auth/external/link'],
      ['GET', '/auth/external/identities'],
      ['DELETE', `/auth/external/identities/${randomUUID()}`],
      ['POST', '/auth/external/backchannel-logout'],
    ] as const)
      expect(await own.api(method, path, { token, ...(method === 'POST' && { body: {} }) })).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    const proof = { external: { state: 'x', code: 'x', verifier: 'x'.repeat(43) } };
    expect(await stepUp(own, token, proof)).toMatchObject({ status: 400, code: 'validation_error' });
    await own.stop();
  });
});

describe('the data of a person', () => {
  it('is in their export, and is removed with them', async () => {
    const user = await linkedUser('plain', { email: 'at-the-provider@example.com' });
    await client.signIn('plain', user.person);
    const exported = await service.api('GET', '/auth/me/export', {
      token: (await service.signIn(user)).accessToken,
    });
    expect(exported.data.linkedAccounts).toMatchObject([
      { connectionId: 'plain', subject: user.person.sub, email: 'at-the-provider@example.com' },
    ]);
    const begun = await client.begin('plain');
    await client.finish(client.response(begun, { sub: randomUUID(), email: user.email }));
    await service.machine('DELETE', `/internal/admin/users/${user.id}/personal-data`, {
      body: { reason: 'request' },
    });
    expect(await service.sql('SELECT 1 FROM external_identities WHERE user_id = $1', [user.id])).toEqual([]);
    expect(await service.sql('SELECT 1 FROM external_flows WHERE user_id = $1', [user.id])).toEqual([]);
  });
});
