import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import type { Answer } from '../support/api-client.js';
import { answerChallenge } from '../support/authenticator-app.js';
import { enrolFactor, type EnrolledFactor } from '../support/enrolled-user.js';
import { ExternalClient, externalEnv } from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { InvitationClient } from '../support/invitation-client.js';
import { mintTokens } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { TestCompany } from '../support/test-company.js';
import type { TestUser } from '../support/test-users.js';

const CORE_KEY = 'key-of-the-core-service';

let provider: HostileProvider;
let core: CoreService;
let service: TestService;
let external: ExternalClient;
let company: TestCompany;

beforeAll(async () => {
  provider = await HostileProvider.start();
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({
    env: externalEnv(provider, {
      ...PASSKEY_ENV,
      CORE_BASE_URL: core.url,
      CORE_INTERNAL_API_KEY: CORE_KEY,
      SECOND_FACTOR: 'staff',
      STAFF_STEP_UP: 'off',
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
    }),
  });
  external = new ExternalClient(service, provider);
  company = new TestCompany(service);
});
afterAll(async () => {
  await service.stop();
  await core.stop();
  provider.stop();
});
beforeEach(() => core.set(company.id, { modules: ['billing'], requireSecondFactor: true }));

type Role = 'user' | 'staff';
type Factor = 'no factor' | 'an app';

/** A user of the table, with everything that a way in needs. */
interface Person extends TestUser {
  /** Undefined for one without an app. */
  app: EnrolledFactor | undefined;
  authenticator: SoftwareAuthenticator;
  subject: string;
}

async function personOf(role: Role, factor: Factor, hasPasskey: boolean): Promise<Person> {
  const user = await service.createUser(role === 'staff' ? { role: 'PLATFORM_ADMIN' } : {});
  await company.join(user.id);
  const authenticator = new SoftwareAuthenticator();
  if (hasPasskey) {
    const { token } = await mintTokens(service, user.id);
    const answer = await registerPasskey(service, { ...user, token }, authenticator);
    expect(answer.status, answer.text).toBe(201);
  }
  const app = factor === 'an app' ? await enrolFactor(service.sql, user.id) : undefined;
  return { ...user, app, authenticator, subject: randomUUID() };
}

async function byProvider(connection: string, { id, subject }: Person, claims: object): Promise<Answer> {
  await service.sql(
    'INSERT INTO external_identities (id, user_id, connection_id, subject) VALUES ($1, $2, $3, $4)',
    [randomUUID(), id, connection, subject],
  );
  return external.signIn(connection, { sub: subject, ...claims });
}

async function byHandoff({ id }: Person): Promise<Answer> {
  const { token } = await mintTokens(service, id);
  const headers = { 'x-org': company.id };
  const made = await service.api('POST', '/auth/handoff/create', { token, headers });
  return made.status === 200
    ? service.api('POST', '/auth/handoff/exchange', { body: { code: made.data.code } })
    : made;
}

async function byReset({ email }: Person): Promise<Answer> {
  const reset = new ResetClient(service);
  return reset.confirm(await reset.tokenFor(email));
}

/** Every way in of a user who exists. The last request of each. */
const WAYS = {
  password: ({ email, password }: Person) =>
    service.api('POST', '/auth/login', { body: { email, password } }),
  passkey: ({ authenticator }: Person) => signInWithPasskey(service, authenticator),
  'another service': (person: Person) => byProvider('plain', person, {}),
  'another service that is trusted for its factors': (person: Person) =>
    byProvider('strict', person, { amr: ['pwd', 'mfa'] }),
  'a hand-off': byHandoff,
  reset: byReset,
};
type Way = keyof typeof WAYS;

/** The outcome of the last request. */
function outcomeOf({ status, code, data }: Answer): string {
  if (status !== 200) return code ?? String(status);
  const { secondFactor, accessToken } = data as { secondFactor?: { enrol?: boolean }; accessToken?: string };
  if (secondFactor) return secondFactor.enrol === true ? 'sets up a factor' : 'second step';
  return accessToken === undefined ? 'no session' : String(takeApart(accessToken).claims.acr);
}

/** Returns the token of the sign-in, after the second step where one is asked for. */
async function tokenOf({ data }: Answer, { app }: Person): Promise<string | undefined> {
  const { secondFactor } = data as { secondFactor?: { challenge: string; enrol?: boolean } };
  if (!secondFactor) return data.accessToken;
  if (secondFactor.enrol === true || !app) return undefined;
  const answer = await answerChallenge(service, { challenge: secondFactor.challenge, code: app.code() });
  expect(answer.status, answer.text).toBe(200);
  expect(takeApart(answer.data.accessToken).claims.acr).toBe('aal2');
  return answer.data.accessToken;
}

/** The rights of the session in a company that requires a factor, and those of the platform role. */
async function rightsOf(token: string | undefined): Promise<{ company: string; staff: string }> {
  if (token === undefined) return { company: '–', staff: '–' };
  const headers = { 'x-org': company.id };
  const access = await service.api('GET', '/auth/me/access', { token, headers });
  const users = await service.api('GET', '/internal/users', { token });
  return { company: access.code ?? 'ok', staff: users.code ?? 'ok' };
}

const NO = '–';
const MISSING = 'second_factor_required';

/** Way, role and factor of the user; then the answer, the company that requires a factor, and the platform role. */
const TABLE: [Way, Role, Factor, string, string, string][] = [
  ['password', 'user', 'no factor', 'aal1', MISSING, 'forbidden'],
  ['password', 'user', 'an app', 'second step', 'ok', 'forbidden'],
  ['password', 'staff', 'no factor', 'sets up a factor', NO, NO],
  ['password', 'staff', 'an app', 'second step', 'ok', 'ok'],
  ['passkey', 'user', 'no factor', 'aal2', 'ok', 'forbidden'],
  ['passkey', 'user', 'an app', 'aal2', 'ok', 'forbidden'],
  ['passkey', 'staff', 'no factor', 'aal2', 'ok', 'ok'],
  ['passkey', 'staff', 'an app', 'aal2', 'ok', 'ok'],
  ['another service', 'user', 'no factor', 'aal1', MISSING, 'forbidden'],
  ['another service', 'user', 'an app', 'second step', 'ok', 'forbidden'],
  ['another service', 'staff', 'no factor', 'sets up a factor', NO, NO],
  ['another service', 'staff', 'an app', 'second step', 'ok', 'ok'],
  ['another service that is trusted for its factors', 'user', 'no factor', 'aal2', 'ok', 'forbidden'],
  ['another service that is trusted for its factors', 'user', 'an app', 'aal2', 'ok', 'forbidden'],
  ['another service that is trusted for its factors', 'staff', 'no factor', 'aal2', 'ok', 'ok'],
  ['another service that is trusted for its factors', 'staff', 'an app', 'aal2', 'ok', 'ok'],
  ['a hand-off', 'user', 'no factor', MISSING, NO, NO],
  ['a hand-off', 'user', 'an app', MISSING, NO, NO],
  ['a hand-off', 'staff', 'no factor', MISSING, NO, NO],
  ['a hand-off', 'staff', 'an app', MISSING, NO, NO],
  ['reset', 'user', 'no factor', 'no session', NO, NO],
  ['reset', 'user', 'an app', 'no session', NO, NO],
  ['reset', 'staff', 'no factor', 'no session', NO, NO],
  ['reset', 'staff', 'an app', 'no session', NO, NO],
];

describe('ways in where staff need a second factor', () => {
  it('the table has every way, role and factor', () => {
    const rows = new Set(TABLE.map(([way, role, factor]) => `${way} ${role} ${factor}`));
    expect(rows.size).toBe(Object.keys(WAYS).length * 2 * 2);
  });

  it.each(TABLE)('by %s, a %s with %s gets: %s; company: %s; platform: %s', async (...row) => {
    const [way, role, factor, answer, inCompany, asStaff] = row;
    const person = await personOf(role, factor, way === 'passkey');
    const last = await WAYS[way](person);
    expect(outcomeOf(last), last.text).toBe(answer);
    const token = await tokenOf(last, person);
    expect(await rightsOf(token)).toEqual({ company: inCompany, staff: asStaff });
  });

  it('a hand-off passes the level of its session on, and no more', async () => {
    const person = await personOf('user', 'no factor', true);
    const { data } = await signInWithPasskey(service, person.authenticator);
    const made = await service.api('POST', '/auth/handoff/create', {
      token: data.accessToken,
      headers: { 'x-org': company.id },
    });
    const done = await service.api('POST', '/auth/handoff/exchange', { body: { code: made.data.code } });
    expect(outcomeOf(done), done.text).toBe('aal2');
    expect(await rightsOf(done.data.accessToken)).toEqual({ company: 'ok', staff: 'forbidden' });
  });

  it('a newcomer by an invitation has one factor, and cannot use a company that requires two', async () => {
    const invitations = await InvitationClient.open(service);
    core.set(invitations.company, { modules: ['billing'] });
    const { token } = await invitations.invite();
    core.set(invitations.company, { modules: ['billing'], requireSecondFactor: true });
    const body = { token, password: NEW_PASSWORD, fullName: 'Ada Berg' };
    const accepted = await service.api('POST', '/auth/invitations/accept', { body });
    expect(outcomeOf(accepted), accepted.text).toBe('aal1');
    const headers = { 'x-org': invitations.company };
    const access = await service.api('GET', '/auth/me/access', { token: accepted.data.accessToken, headers });
    expect(access.code).toBe(MISSING);
  });

  it('a registration opens no session', async () => {
    const body = { email: `${randomUUID()}@example.com`, password: NEW_PASSWORD, fullName: 'Ada Berg' };
    const answer = await service.api('POST', '/auth/register', { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(answer.data.accessToken).toBeUndefined();
  });
});
