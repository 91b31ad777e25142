import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import type { Answer } from '../support/api-client.js';
import { externalEnv, newVerifier, reasonOf, s256Of } from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider, PROVIDER_CLIENT } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { PersonBrowser } from './person-browser.js';
import { ProviderProcess } from './provider-process.js';

const CONNECTION = 'foreign';
/** The library asks for keys that it does not know once a minute at most. */
const KEYS_MS = 75_000;

describe('oidc-provider as a process', () => {
  let other: HostileProvider;
  let provider: ProviderProcess;
  let service: TestService;

  beforeAll(async () => {
    other = await HostileProvider.start();
    const port = await freePort();
    const foreign = { type: 'oidc', issuer: `http://127.0.0.1:${port}`, reauthenticates: true };
    service = await startTestService({
      env: externalEnv(other, {
        EXTERNAL_SIGN_UP: 'true',
        PUBLIC_REGISTRATION_ENABLED: 'true',
        REGISTRATION_APPROVAL: 'none',
        types: { [CONNECTION]: foreign },
      }),
    });
    provider = new ProviderProcess(port, {
      client_id: PROVIDER_CLIENT.id,
      client_secret: PROVIDER_CLIENT.secret,
      redirect_uris: [`${service.publicUrl}/external/callback/${CONNECTION}`],
      backchannel_logout_uri: `${service.url}/auth/external/backchannel-logout`,
      backchannel_logout_session_required: true,
    });
    await provider.start();
  });
  afterAll(async () => {
    await provider.stop();
    await service.stop();
    other.stop();
  });

  interface Visit {
    person: string;
    browser?: PersonBrowser;
    purpose?: 'sign-in' | 'link' | 'step-up';
    token?: string;
  }

  /** Goes through a whole flow, with the forms of the provider. */
  async function visit({ person, browser = new PersonBrowser(), purpose, token }: Visit): Promise<Answer> {
    const verifier = newVerifier();
    const body = { connectionId: CONNECTION, challenge: s256Of(verifier), ...(purpose && { purpose }) };
    const started = await service.api('POST', '/auth/external/start', { token, body });
    expect(started.status, started.text).toBe(200);
    const end = `${service.publicUrl}/external/callback/`;
    const { searchParams } = await browser.signIn(String(started.data.authorizationUrl), person, end);
    const response = Object.fromEntries(searchParams);
    const headers = { accept: 'application/problem+json, application/json;q=0.5' };
    return service.client.send('POST', '/auth/external/finish', {
      token,
      headers,
      body: { ...response, verifier },
    });
  }

  const newPerson = (): string => `person-${randomUUID()}`;
  const statusOf = async (token: string): Promise<number> =>
    (await service.api('GET', '/auth/me', { token })).status;

  it('signs a new person up, and in again', async () => {
    const person = newPerson();
    const first = await visit({ person });
    expect(first.status, first.text).toBe(200);
    const me = await service.api('GET', '/auth/me', { token: first.data.accessToken });
    expect(me.data).toMatchObject({ email: `${person}@example.com`, name: 'Ada Berg' });
    const again = await visit({ person });
    expect(takeApart(again.data.accessToken).claims.sub).toBe(takeApart(first.data.accessToken).claims.sub);
  });

  it('links an account to a user, who signs in by it', async () => {
    const person = newPerson();
    const { accessToken: token, id } = await service.signedIn();
    const linked = await visit({ person, purpose: 'link', token });
    expect(linked.status, linked.text).toBe(200);
    const signedIn = await visit({ person });
    expect(takeApart(signedIn.data.accessToken).claims.sub).toBe(id);
  });

  it('steps a session up by asking for the password again, and by no other person', async () => {
    const person = newPerson();
    const browser = new PersonBrowser();
    const { data } = await visit({ person, browser });
    const token = data.accessToken;
    expect(takeApart(token).claims.auth_time).toBe(0);
    const asked = await visit({ person: newPerson(), purpose: 'step-up', token });
    expect(asked.status).toBe(401);
    const raised = await visit({ person, browser, purpose: 'step-up', token });
    expect(raised.status, raised.text).toBe(200);
    const age = Date.now() / 1000 - Number(takeApart(raised.data.accessToken).claims.auth_time);
    expect(age).toBeLessThan(60);
  });

  it('ends the session here when its person signs out there, and no other', async () => {
    const person = newPerson();
    const [browser, elsewhere] = [new PersonBrowser(), new PersonBrowser()];
    const here = await visit({ person, browser });
    const there = await visit({ person, browser: elsewhere });
    await browser.signOut(provider.url);
    await waitUntil(async () => (await statusOf(here.data.accessToken)) === 401, {
      what: 'the end of the session',
      timeoutMs: 10_000,
    });
    expect(await statusOf(there.data.accessToken)).toBe(200);
    const reasons = await service.sql(
      "SELECT details FROM auth_audit_logs WHERE event = 'sessions_revoked' AND subject_user_id = $1",
      [takeApart(here.data.accessToken).claims.sub],
    );
    expect(reasons).toHaveLength(1);
  });

  it('signs in by new keys within a minute after it has replaced them', async () => {
    const person = newPerson();
    const before = await visit({ person });
    expect(before.status, before.text).toBe(200);
    await provider.rotate();
    const end = Date.now() + KEYS_MS;
    let answer = await visit({ person });
    while (answer.status !== 200 && Date.now() < end) {
      expect([answer.status, reasonOf(answer)]).toEqual([401, 'external_sign_in_failed']);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      answer = await visit({ person });
    }
    expect(answer.status, answer.text).toBe(200);
    expect(takeApart(answer.data.accessToken).claims.sub).toBe(takeApart(before.data.accessToken).claims.sub);
  });
});
