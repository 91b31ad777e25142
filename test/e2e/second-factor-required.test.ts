import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AuthError, unknownClient } from '@latchkey/core';
import { TestCompanies } from '../../packages/testing/src/kit/test-companies.js';
import { TestUsers } from '../../packages/testing/src/kit/test-users.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import {
  REQUIRED,
  requireAlways,
  secondFactorHost,
  type SecondFactorHost,
} from '../support/second-factor-host.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { waitUntil } from '../support/wait-until.js';

const PASSWORD = 'a fine long password';
const MACHINE = { kind: 'machine', name: 'tests' } as const;
const HOME = { ...unknownClient, ipAddress: '203.0.113.7' };

const sessionsOf = ({ sql }: SecondFactorHost, email: string) =>
  sql('SELECT s.origin FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 ORDER BY s.id', [
    email,
  ]);
const auditOf = ({ sql }: SecondFactorHost, email: string) =>
  sql(
    `SELECT event, outcome FROM auth_audit_logs a JOIN users u ON u.id = a.subject_user_id
     WHERE u.email = $1 AND event <> 'user_created' ORDER BY a.id`,
    [email],
  );

/** Signs in within the process. Returns `required`, `signed in` or the code of the error. */
async function signIn({ auth }: SecondFactorHost, email: string, password: string, client = unknownClient) {
  try {
    const result = await auth.login.withPassword({ email, password }, client);
    return 'secondFactor' in result ? 'required' : 'signed in';
  } catch (error) {
    if (AuthError.is(error)) return error.code;
    throw error;
  }
}

async function signInTimes(times: number, ...attempt: Parameters<typeof signIn>): Promise<string[]> {
  const outcomes: string[] = [];
  for (let time = 0; time < times; time += 1) outcomes.push(await signIn(...attempt));
  return outcomes;
}

describe('a password sign-in that requires a second factor', () => {
  it('a required second factor creates no session, no audit row of a success, and no last login', async () => {
    const host = await secondFactorHost();
    const { email, password } = await host.createUser();
    expect(await host.auth.login.withPassword({ email, password })).toEqual(REQUIRED);
    expect(await sessionsOf(host, email)).toEqual([]);
    expect(await auditOf(host, email)).toEqual([]);
    expect(await host.sql('SELECT last_login_at FROM users WHERE email = $1', [email])).toEqual([
      { last_login_at: null },
    ]);
  });

  it('a required second factor has an outcome of its own in the metrics', async () => {
    const { auth, createUser } = await secondFactorHost();
    await auth.login.withPassword(await createUser());
    const text = await auth.metrics.text();
    expect(text).toContain('latchkey_sign_ins_total{method="password",outcome="second_factor_required"} 1');
    expect(text).toContain('latchkey_sign_ins_total{method="password",outcome="success"} 0');
  });

  it('a required second factor neither counts as a failure of the account nor resets its failures', async () => {
    const host = await secondFactorHost();
    const { email, password } = await host.createUser();
    expect(await signInTimes(19, host, email, 'wrong')).toEqual(Array(19).fill('unauthorized'));
    expect(await signInTimes(5, host, email, password)).toEqual(Array(5).fill('required'));
    expect(await signInTimes(2, host, email, 'wrong')).toEqual(['unauthorized', 'rate_limited']);
  });

  it('a required second factor does not exempt the address from the waits of the account', async () => {
    const host = await secondFactorHost();
    const { email, password } = await host.createUser();
    expect(await signIn(host, email, password, HOME)).toBe('required');
    await signInTimes(20, host, email, 'wrong');
    expect(await signInTimes(2, host, email, 'wrong', HOME)).toEqual(['unauthorized', 'rate_limited']);
  });

  it('a wrong password and an unknown email are rejected before a second factor is considered', async () => {
    const checked: string[] = [];
    const host = await secondFactorHost({
      check: ({ user }) => {
        checked.push(user.id);
        return Promise.resolve(REQUIRED);
      },
    });
    const { id, email, password } = await host.createUser();
    expect(await signIn(host, email, 'wrong')).toBe('unauthorized');
    expect(await signIn(host, 'unknown@example.com', password)).toBe('unauthorized');
    await host.sql('UPDATE users SET is_active = false WHERE id = $1', [id]);
    expect(await signIn(host, email, password)).toBe('account_inactive');
    expect(checked).toEqual([]);
    expect(await auditOf(host, email)).toEqual([
      { event: 'login', outcome: 'failure' },
      { event: 'login', outcome: 'denied' },
    ]);
  });

  it('the hook of a host app rejects a sign-in before a second factor is required', async () => {
    const login = () => {
      throw AuthError.forbidden('Not from here.');
    };
    const host = await secondFactorHost({ before: { login } });
    const { email, password } = await host.createUser();
    expect(await signIn(host, email, password)).toBe('forbidden');
  });

  it('the check of a sign-in receives the verified state, and a sign-in that it lets pass is completed', async () => {
    const states: object[] = [];
    const host = await secondFactorHost({
      check: ({ user, origin, amr, passwordHash }) => {
        states.push({ id: user.id, tokenVersion: user.tokenVersion, origin, amr, passwordHash });
        return Promise.resolve(undefined);
      },
    });
    const { id, email, password } = await host.createUser();
    const [row] = await host.sql('SELECT token_version, password_hash FROM users WHERE id = $1', [id]);
    expect(await signIn(host, email, password)).toBe('signed in');
    expect(states).toEqual([
      {
        id,
        tokenVersion: row?.token_version,
        origin: 'password',
        amr: ['pwd'],
        passwordHash: row?.password_hash,
      },
    ]);
    expect(await sessionsOf(host, email)).toEqual([{ origin: 'password' }]);
    expect(await auditOf(host, email)).toEqual([{ event: 'login', outcome: 'success' }]);
  });
});

describe('an invitation whose new user needs a second factor', () => {
  it('an acceptance that requires a second factor creates user and membership, but no session and no audit row of a sign-in', async () => {
    const host = await secondFactorHost();
    const { email, token, companyId } = await host.invite();
    const accepted = await host.auth.invitationAcceptance.accept({ token, password: PASSWORD });
    expect(accepted).toMatchObject({ ...REQUIRED, invitation: { email, companyId, status: 'ACCEPTED' } });
    expect(accepted).not.toHaveProperty('accessToken');
    expect(await sessionsOf(host, email)).toEqual([]);
    expect(await auditOf(host, email)).toEqual([{ event: 'invitation_accepted', outcome: 'success' }]);
    expect(await host.auth.metrics.text()).toContain(
      'latchkey_sign_ins_total{method="invitation",outcome="second_factor_required"} 1',
    );
    expect(await signIn(host, email, PASSWORD)).toBe('required');
  });

  it('the check of an acceptance is part of its transaction, and its failure leaves the invitation open', async () => {
    const seen: unknown[] = [];
    let fails = true;
    const host = await secondFactorHost({
      check: async ({ user }, _client, trx) => {
        seen.push(await trx?.('users').where({ id: user.id }).pluck('email'));
        if (fails) throw AuthError.unavailable('The factors are unavailable.');
        return REQUIRED;
      },
    });
    const { email, token } = await host.invite();
    const accept = () => host.auth.invitationAcceptance.accept({ token, password: PASSWORD });
    await expect(accept()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await host.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
    fails = false;
    expect(await accept()).toMatchObject(REQUIRED);
    expect(seen).toEqual([[email], [email]]);
  });
});

describe('the other ways to a session', () => {
  it('minting, refreshes and hand-offs require no second factor', async () => {
    const host = await secondFactorHost();
    const { auth } = host;
    const { id, email } = await host.createUser();
    const companyId = randomUUID();
    await auth.memberships.upsertCompany(MACHINE, companyId, { userId: id });
    const minted = await auth.sessionMinting.mint(MACHINE, id);
    const refreshed = await auth.refresh.refresh(minted.refreshToken);
    const caller = await auth.authenticator.authenticate(refreshed.accessToken);
    const { code } = await auth.handoff.create(caller, companyId);
    expect(await auth.handoff.exchange(code)).toHaveProperty('accessToken');
    expect(await sessionsOf(host, email)).toEqual([{ origin: 'minted' }, { origin: 'handoff' }]);
  });

  it('a passkey counts as two factors, so its sign-in requires no second one', async () => {
    const host = await secondFactorHost({ env: PASSKEY_ENV });
    const { id, email, password } = await host.createUser();
    const { accessToken: token } = await host.auth.sessionMinting.mint(MACHINE, id);
    const service = { api: host.client.call.bind(host.client) };
    const authenticator = new SoftwareAuthenticator();
    expect((await registerPasskey(service, { token, password }, authenticator)).status).toBe(201);
    expect((await signInWithPasskey(service, authenticator)).data).toHaveProperty('accessToken');
    expect(await sessionsOf(host, email)).toEqual([{ origin: 'minted' }, { origin: 'passkey' }]);
  });

  it('the test kit reports that it cannot sign in a user who needs a second factor', async () => {
    const { auth } = await secondFactorHost({ check: requireAlways });
    await expect(new TestUsers(auth, new TestCompanies()).create({})).rejects.toThrow(
      /^kit\.user: the sign-in requires a second factor/,
    );
  });
});

describe.each([
  ['with tokens in the body', {}],
  ['in cookie mode', { 'x-auth-mode': 'cookie' }],
])('a response that requires a second factor, %s', (_mode, headers) => {
  const env = { AUTH_WEB_COOKIE_MODE: 'true' };
  /** Returns an undeclared field, which the reply must drop. */
  const check = () =>
    Promise.resolve({
      ...REQUIRED,
      tokenType: 'x',
      secondFactor: { ...REQUIRED.secondFactor, key: 'x' },
    });

  it('the response to a login that requires a second factor sets no cookies and contains the challenge alone', async () => {
    const { client, createUser, log } = await secondFactorHost({ check, env });
    const { email, password } = await createUser();
    const answer = await client.call('POST', '/auth/login', { body: { email, password }, headers });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ success: true, data: REQUIRED });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    const line = await waitUntil(() => log.find(({ route }) => route === '/auth/login'), {
      what: 'the line of the login',
    });
    expect(line.status).toBe(200);
    expect(line).not.toHaveProperty('userId');
  });

  it('the response to an acceptance that requires a second factor sets no cookies and contains challenge and invitation', async () => {
    const { client, invite } = await secondFactorHost({ check, env });
    const { token, email } = await invite();
    const body = { token, password: PASSWORD };
    const answer = await client.call('POST', '/auth/invitations/accept', { body, headers });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.data).toEqual({ ...REQUIRED, invitation: answer.data.invitation });
    expect(answer.data.invitation).toMatchObject({ email, status: 'ACCEPTED' });
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
});
