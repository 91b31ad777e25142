import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectWithin } from '../support/assert-response.js';
import {
  asLateAs,
  ExternalClient,
  externalEnv,
  googlePerson,
  newVerifier,
  reasonOf,
} from '../support/external-client.js';
import { HostileProvider, type Faults, type Person } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';

let provider: HostileProvider;
let service: TestService;
let client: ExternalClient;
const ada = googlePerson();

beforeAll(async () => {
  provider = await HostileProvider.start();
  service = await startTestService({
    env: externalEnv(provider, {
      EXTERNAL_SIGN_UP: 'true',
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
    }),
  });
  client = new ExternalClient(service, provider);
  await client.signIn('google', ada);
});
afterAll(async () => {
  // No token of a provider is kept or logged, whatever happened.
  const rows = JSON.stringify([
    await service.sql('SELECT * FROM external_flows'),
    await service.sql('SELECT * FROM external_identities'),
    await service.sql('SELECT * FROM auth_audit_logs'),
    await service.sql('SELECT * FROM sessions'),
  ]);
  const kept = service.log() + rows;
  expect(provider.tokens.length).toBeGreaterThan(10);
  expect(provider.tokens.filter((token) => kept.includes(token))).toEqual([]);
  await service.stop();
  provider.stop();
});

const sessions = async (): Promise<number> =>
  Number((await service.sql('SELECT count(*) AS n FROM sessions'))[0]?.n);
const users = async (): Promise<number> =>
  Number((await service.sql('SELECT count(*) AS n FROM users'))[0]?.n);

/** Sends a response that must open nothing. @returns its status and reason. */
async function refused(body: Record<string, unknown>, token?: string) {
  const before = [await sessions(), await users()];
  const answer = await client.finish(body, token);
  expect([await sessions(), await users()]).toEqual(before);
  expect(answer.text).not.toContain('accessToken');
  return [answer.status, reasonOf(answer)];
}

const INVALID = [401, 'flow_invalid'];
const FAILED = [401, 'external_sign_in_failed'];

describe('a response that the browser of another person brings', () => {
  it('is worth nothing without the verifier of the browser that began', async () => {
    const begun = await client.begin('google');
    const response = client.response(begun, ada);
    expect(await refused({ ...response, verifier: newVerifier() })).toEqual(INVALID);
    // The browser that began is not kept from finishing.
    expect((await client.finish(response)).status).toBe(200);
  });

  it("does not sign a victim in to the attacker's account: their browser has another verifier", async () => {
    const attacker = await client.begin('google');
    const victim = await client.begin('google');
    const response = client.response(attacker, googlePerson());
    expect(await refused({ ...response, verifier: victim.verifier })).toEqual(INVALID);
  });

  it('does not carry a code into the flow of another person', async () => {
    const [attacker, victim] = [await client.begin('google'), await client.begin('google')];
    const stolen = client.response(victim, ada);
    const own = client.response(attacker, googlePerson());
    // The code is bound to the challenge of the flow that it was given for (RFC 7636).
    expect(await refused({ ...own, code: stolen.code })).toEqual(FAILED);
  });

  it('needs a state that was given out', async () => {
    const response = client.response(await client.begin('google'), ada);
    for (const state of ['', 'lks_unknown', `${response.state}x`, response.state.slice(1)])
      expect((await client.finish({ ...response, state })).status).toBeGreaterThanOrEqual(400);
    expect(await refused({ ...response, state: 'lks_unknown' })).toEqual(INVALID);
  });
});

describe('a response that was used', () => {
  it('is refused the second time, with its code and with another', async () => {
    const response = client.response(await client.begin('google'), ada);
    expect((await client.finish(response)).status).toBe(200);
    expect(await refused(response)).toEqual(INVALID);
    expect(await refused({ ...response, code: 'another' })).toEqual(INVALID);
  });

  it('opens one session when 50 copies of it arrive at once, and asks the provider once', async () => {
    const response = client.response(await client.begin('google'), ada);
    const before = await sessions();
    provider.requests.length = 0;
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.finish(response)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    expect(await sessions()).toBe(before + 1);
    expect(provider.requests.filter((request) => request === 'POST /token')).toHaveLength(1);
  });

  it('is refused after ten minutes', async () => {
    const response = client.response(await client.begin('google'), ada);
    await asLateAs(service, '10 minutes');
    expect(await refused(response)).toEqual(INVALID);
  });

  it('is spent by an error of the provider, too', async () => {
    const { state, verifier, code } = client.response(await client.begin('google'), ada);
    expect(await refused({ state, verifier, error: 'access_denied' })).toEqual([
      401,
      'external_sign_in_cancelled',
    ]);
    expect(await refused({ state, verifier, code })).toEqual(INVALID);
    const other = client.response(await client.begin('google'), ada);
    expect(await refused({ state: other.state, verifier: other.verifier, error: 'server_error' })).toEqual(
      FAILED,
    );
  });

  it('has a code or an error, and not both', async () => {
    const { state, verifier, code } = client.response(await client.begin('google'), ada);
    expect((await client.finish({ state, verifier })).status).toBe(400);
    expect((await client.finish({ state, verifier, code, error: 'access_denied' })).status).toBe(400);
  });
});

describe('a response of another provider or purpose', () => {
  it('must name the issuer if the provider announces that it does (RFC 9207)', async () => {
    const response = client.response(await client.begin('google'), ada);
    expect(await refused({ ...response, iss: 'https://evil.example' })).toEqual(FAILED);
    const { iss: _iss, ...without } = client.response(await client.begin('google'), ada);
    expect(await refused(without)).toEqual(FAILED);
  });

  it('does not end a flow of a link or a step-up without the session that began it', async () => {
    const { accessToken } = await service.signedIn();
    const other = await service.signedIn();
    const person = { sub: randomUUID() };
    const link = client.response(await client.begin('strict', { purpose: 'link' }, accessToken), person);
    expect(await refused(link)).toEqual(INVALID);
    expect(await refused(link, other.accessToken)).toEqual(INVALID);
    const stepUp = client.response(await client.begin('strict', { purpose: 'step-up' }, accessToken), person);
    expect(await refused(stepUp)).toEqual(INVALID);
    const byOther = await service.api('POST', '/auth/step-up', {
      token: other.accessToken,
      body: { external: stepUp },
    });
    expect(byOther).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('does not end a flow in another session of the same user, and still ends it in its own', async () => {
    const { accessToken: own, ...user } = await service.signedIn();
    const { accessToken: other } = await service.signIn(user);
    await client.linked('strict', { sub: user.id }, own);
    for (const [purpose, person] of [
      ['link', { sub: randomUUID() }],
      ['step-up', { sub: user.id }],
    ] as const) {
      const begun = await client.begin('strict', { purpose }, own);
      const response = client.response(begun, person);
      expect(await refused(response, other)).toEqual(INVALID);
      expect((await client.finish(response, own)).status).toBe(200);
    }
  });

  it('does not raise a session by a sign-in, nor link by a step-up', async () => {
    const { accessToken: token } = await service.signedIn();
    const signIn = client.response(await client.begin('strict'), { sub: randomUUID() });
    const raised = await service.api('POST', '/auth/step-up', { token, body: { external: signIn } });
    expect(raised).toMatchObject({ status: 401, code: 'unauthorized' });
    const stepUp = client.response(await client.begin('strict', { purpose: 'step-up' }, token), {
      sub: randomUUID(),
    });
    const linked = await client.finish(stepUp, token);
    expect([linked.status, reasonOf(linked)]).toEqual(FAILED);
    const { items } = await service.api('GET', '/auth/external/identities', { token });
    expect(items).toEqual([]);
  });

  it('needs the session for a link or a step-up from the start', async () => {
    for (const purpose of ['link', 'step-up'])
      expect((await client.start('strict', { purpose })).status).toBe(401);
  });
});

const minutes = (count: number): number => Math.floor(Date.now() / 1000) + count * 60;

/** What an ID token must not be, and one fault at a time. */
const LIES: [what: string, faults: Faults][] = [
  ['an ID token of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['an ID token without an issuer', { claims: { iss: undefined } }],
  ['an ID token for another client', { claims: { aud: 'another client' } }],
  [
    'an ID token for several clients without saying for which',
    { claims: { aud: ['latchkey-tests', 'another'] } },
  ],
  ['an ID token that was given to another client', { claims: { azp: 'another client' } }],
  [
    'an ID token for several clients that was given to another one',
    { claims: { aud: ['latchkey-tests', 'another'], azp: 'another' } },
  ],
  ['an ID token of another flow', { claims: { nonce: 'of another flow' } }],
  ['an ID token without a nonce', { claims: { nonce: undefined } }],
  ['an ID token that has expired', { claims: { exp: minutes(-2) } }],
  ['an ID token without an end', { claims: { exp: undefined } }],
  ['an ID token from the future', { claims: { iat: minutes(20) } }],
  ['an ID token that is an hour old', { claims: { iat: minutes(-60) } }],
  ['an ID token without a time', { claims: { iat: undefined } }],
  ['an ID token that is not valid yet', { claims: { nbf: minutes(20) } }],
  ['an ID token without a subject', { claims: { sub: undefined } }],
  ['an ID token with an empty subject', { claims: { sub: '' } }],
  ['an ID token with a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
  ['an ID token without a signature', { algorithm: 'none' }],
  ['an ID token that is signed with a public key as a secret', { algorithm: 'HS256' }],
  ['an ID token with an algorithm that is not accepted', { algorithm: 'RS512' }],
  ['an ID token that another key has signed', { signature: 'other key' }],
  ['an ID token whose signature is damaged', { signature: 'damaged' }],
  ['an ID token of another access token', { atHash: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['no ID token', { withoutIdToken: true }],
  ['a refusal of the code', { refuses: 'invalid_grant' }],
  ['a refusal of the client', { refuses: 'invalid_client' }],
  ['a redirect', { answers: 'redirects' }],
  ['no JSON', { answers: 'no JSON' }],
];

describe('a provider that lies', () => {
  it.each(LIES)('%s opens nothing', async (_what, faults) => {
    const response = client.response(await client.begin('google'), ada);
    provider.with(faults);
    expect(await refused(response)).toEqual(FAILED);
    expect(await refused(response)).toEqual(INVALID);
  });

  it('a refusal of the client is a warning for the operator, and its reason in the audit log', async () => {
    const response = client.response(await client.begin('strict'), ada);
    provider.with({ refuses: 'invalid_client' });
    expect(await refused(response)).toEqual(FAILED);
    const rows = await service.sql(
      `SELECT details->>'connectionId' AS id FROM auth_audit_logs WHERE details->>'reason' = 'invalid_client'`,
    );
    expect(rows).toContainEqual({ id: 'strict' });
    expect(service.log()).toMatch(/"connectionId":"strict","reason":"invalid_client".*Correct clientId/);
  });

  it.each(['PS256', 'ES256', 'EdDSA'] as const)(
    'an ID token that is signed with %s is accepted',
    async (algorithm) => {
      const response = client.response(await client.begin('google'), ada);
      provider.with({ algorithm, ...(algorithm === 'EdDSA' && { claims: { at_hash: undefined } }) });
      expect((await client.finish(response)).status).toBe(200);
    },
  );

  it('a userinfo endpoint that names another person opens nothing', async () => {
    const response = client.response(await client.begin('plain'), { sub: randomUUID() });
    provider.with({ userinfoSubject: 'somebody else' });
    expect(await refused(response)).toEqual(FAILED);
  });

  it('a person without an address has no account to sign up with', async () => {
    for (const email of [undefined, 'no address', 'a@b', '"quoted"@example.com']) {
      const person: Person = { sub: randomUUID(), ...(email !== undefined && { email }) };
      expect(await refused(client.response(await client.begin('plain'), person))).toEqual(FAILED);
    }
  });

  it('says why in the audit log alone, and at most once a minute', async () => {
    const rows = await service.sql(
      `SELECT outcome, details->>'reason' AS reason FROM auth_audit_logs WHERE event = 'external_flow_failed'`,
    );
    expect(rows).toContainEqual({ outcome: 'failure', reason: 'at_hash' });
    expect(rows).toContainEqual({ outcome: 'failure', reason: 'flow_invalid' });
    expect(rows.filter(({ reason }) => reason === 'flow_invalid').length).toBeLessThan(3);
  });
});

describe('a provider that gives no answer', () => {
  const SILENT: NonNullable<Faults['answers']>[] = [
    'never',
    'endless',
    'slowly',
    'hangs up',
    'errors',
    'too much',
    'deep',
  ];

  it.each(SILENT)(
    'a token endpoint that answers so: %s, ends in 503 within 4 seconds and opens nothing',
    async (answers) => {
      const response = client.response(await client.begin('google'), ada);
      provider.with({ answers, at: ['token'] });
      const before = [await sessions(), await users()];
      const answer = await client.finish(response);
      expect([answer.status, reasonOf(answer)]).toEqual([503, 'service_unavailable']);
      expectWithin(4_000, answer);
      expect([await sessions(), await users()]).toEqual(before);
      // The flow is spent; another one can begin at once.
      provider.faults = {};
      expect(await refused(response)).toEqual(INVALID);
      expect((await client.signIn('google', ada)).status).toBe(200);
    },
  );

  it('two answers that are late one after the other end in 503 within 4 seconds, too', async () => {
    const response = client.response(await client.begin('plain'), { sub: randomUUID() });
    provider.with({ answers: 'late', at: ['token', 'userinfo'] });
    const answer = await client.finish(response);
    expect([answer.status, reasonOf(answer)]).toEqual([503, 'service_unavailable']);
    expectWithin(4_000, answer);
  });

  it('a discovery that fails keeps nothing, and is repeated at the next sign-in', async () => {
    const fresh = await HostileProvider.start();
    const own = await startTestService({ env: externalEnv(fresh) });
    fresh.faults = { answers: 'never', at: ['discovery'] };
    const slow = await new ExternalClient(own, fresh).start('plain');
    expect(slow.status).toBe(503);
    expectWithin(4_000, slow);
    expect(await own.sql('SELECT * FROM external_flows')).toEqual([]);
    fresh.faults = {};
    expect((await new ExternalClient(own, fresh).start('plain')).status).toBe(200);
    await own.stop();
    fresh.stop();
  });

  it.each([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['without a token endpoint', { token_endpoint: undefined }],
    ['without keys', { jwks_uri: undefined }],
  ] as [string, Record<string, unknown>][])('metadata %s is not used', async (_what, metadata) => {
    const fresh = await HostileProvider.start();
    const own = await startTestService({ env: externalEnv(fresh) });
    fresh.faults = { metadata };
    expect((await new ExternalClient(own, fresh).start('plain')).status).toBe(503);
    await own.stop();
    fresh.stop();
  });

  it('keeps no other request waiting', async () => {
    const response = client.response(await client.begin('google'), ada);
    provider.with({ answers: 'never', at: ['token'] });
    const slow = client.finish(response);
    const others = await Promise.all(Array.from({ length: 10 }, () => service.api('GET', '/health')));
    for (const other of others) expectWithin(1_000, other);
    expect((await slow).status).toBe(503);
  });
});

describe('flows of one address', () => {
  it('more than 20 that are open are refused until one is finished or has expired', async () => {
    const own = await startTestService({ env: externalEnv(provider) });
    const browser = new ExternalClient(own, provider);
    const begun = [];
    for (let count = 0; count < 20; count += 1) begun.push(await browser.begin('google'));
    const answer = await browser.start('google');
    expect([answer.status, answer.code]).toEqual([429, 'rate_limited']);
    await browser.finish(browser.response(begun[0]!, ada));
    expect((await browser.start('google')).status).toBe(200);
    await own.stop();
  });
});
