import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { freshEmail } from '../support/invitation-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD, type NewTestUser, type TestUser } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

/** More of them for a longer run: LATCHKEY_RACE_ROUNDS=50 npx vitest run test/races/one-time-secrets.test.ts */
const ROUNDS = Math.max(10, Number(process.env.LATCHKEY_RACE_ROUNDS) || 10);
const BURST_SIZE = 20;

const oneWinner = (won: number, lost: string): string[] => [
  String(won),
  ...Array<string>(BURST_SIZE - 1).fill(lost),
];

const labelOf = ({ status, code }: Answer): string =>
  code === undefined ? `${status}` : `${status} ${code}`;

/** A request found the service too busy, which happens on a busy machine: the round is played again. */
class Undecided extends Error {}

describeWithRedis('what may happen once, asked for many times on two replicas', () => {
  const company = randomUUID();
  let smtp: SmtpSink;
  let replicas: Replicas;
  let adminToken: string;

  beforeAll(async () => {
    smtp = await startSmtpSink();
    replicas = await Replicas.start(
      { SMTP_URL: smtp.url, MAIL_FROM: 'auth@example.com', TRUST_PROXY: '1' },
      // With real cost, a burst would reach the database one by one.
      { cheapPasswords: true },
    );
    adminToken = (await memberWithToken({}, 'ADMIN')).token;
    await replicas.warmUp(BURST_SIZE);
  });
  afterAll(async () => {
    await replicas.stop();
    await smtp.stop();
  });

  async function memberWithToken(wanted: NewTestUser = {}, role = 'MEMBER') {
    const user = await replicas.createUser(wanted);
    await insertMembership(replicas.sql, { userId: user.id, companyId: company, role });
    return { ...user, ...(await replicas.mint(user.id)) };
  }

  let requests = 0;
  /** From an address of its own, so that no limit by address is the reason of an answer. */
  const post = (n: number, path: string, body: object) => {
    requests += 1;
    const headers = { 'x-forwarded-for': `10.1.${requests >> 8}.${requests & 255}` };
    return replicas.turn(n).call('POST', path, { body, headers });
  };

  const asAdmin = (n: number, method: string, path: string, body?: object) =>
    replicas.turn(n).call(method, path, { body, token: adminToken, headers: { 'x-org': company } });

  const login = (n: number, email: string, password: string) =>
    post(n, '/auth/login', { email, password }).then(({ status }) => status);

  /** Every request is on its way, on a connection that was open, before the first answer can be. */
  const burst = async (send: (request: number) => Promise<Answer>): Promise<Answer[]> => {
    const answers = await Promise.all(Array.from({ length: BURST_SIZE }, (_, request) => send(request)));
    if (answers.some(({ code }) => code === 'service_unavailable')) throw new Undecided();
    return answers;
  };

  async function rounds(round: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0, decided = 0; decided < ROUNDS; n++) {
      decided += await round(n).then(
        () => 1,
        (error: unknown) => {
          if (error instanceof Undecided && n < 5 * ROUNDS) return 0;
          throw error;
        },
      );
    }
  }

  async function countOf(table: 'users' | 'live sessions' | 'places', userId: unknown): Promise<number> {
    const statements = {
      users: 'SELECT 1 FROM users WHERE id = $1',
      'live sessions': 'SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked',
      places: 'SELECT 1 FROM company_memberships WHERE user_id = $1',
    };
    return (await replicas.sql(statements[table], [userId])).length;
  }

  /** The secret in the `count`th mail to an address. */
  async function mailedToken(email: string, count = 1): Promise<string> {
    const text = await waitUntil(
      () => smtp.messages.filter(({ to }) => to.includes(email))[count - 1]?.text,
      {
        what: `mail ${count} to ${email}`,
      },
    );
    const [link = ''] = /https?:\/\/\S+/.exec(text) ?? [];
    return new URL(link).searchParams.get('token') ?? '';
  }

  async function invite(n: number, email = freshEmail()) {
    const answer = await asAdmin(n, 'POST', '/auth/invitations', { email });
    expect(answer.status, answer.text).toBe(201);
    return { id: answer.data.id, email, token: await mailedToken(email) };
  }

  const accept = (n: number, token: string, password = PASSWORD) =>
    post(n, '/auth/invitations/accept', { token, password });

  it('a hand-off code creates one session', () =>
    rounds(async (n) => {
      const user = await memberWithToken();
      const headers = { 'x-org': company };
      const created = await replicas
        .turn(n)
        .call('POST', '/auth/handoff/create', { token: user.token, headers });
      expect(created.status, created.text).toBe(200);
      const { code } = created.data;
      const answers = await burst((request) => post(n + request, '/auth/handoff/exchange', { code }));
      expect(answers.map(labelOf).sort()).toEqual(oneWinner(200, '401 unauthorized'));
      expect(await countOf('live sessions', user.id)).toBe(2);
    }));

  it('an invitation creates one user with one membership and one session', () =>
    rounds(async (n) => {
      const { email, token } = await invite(n);
      const passwords = Array.from({ length: BURST_SIZE }, (_, index) => `the password number ${index}`);
      const answers = await burst((request) => accept(n + request, token, passwords[request]));
      expect(answers.map(labelOf).sort()).toEqual(oneWinner(200, '409 conflict'));
      const users = await replicas.sql('SELECT id FROM users WHERE email = $1', [email]);
      expect(users).toHaveLength(1);
      expect(await countOf('places', users[0]?.id)).toBe(1);
      expect(await countOf('live sessions', users[0]?.id)).toBe(1);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(await login(n, email, passwords[winner] ?? '')).toBe(200);
    }));

  async function expectOnlyPassword(user: TestUser, passwords: string[], winner: number): Promise<void> {
    const tried = [...passwords, user.password];
    const signIns = await Promise.all(tried.map((password, n) => login(n, user.email, password)));
    expect(signIns).toEqual(tried.map((_, index) => (index === winner ? 200 : 401)));
  }

  it('a reset token sets one password', () =>
    rounds(async (n) => {
      const user = await replicas.createUser();
      await post(n, '/auth/password-reset/request', { email: user.email });
      const token = await mailedToken(user.email);
      const passwords = Array.from({ length: BURST_SIZE }, (_, index) => `the new password ${index}`);
      const answers = await burst((request) =>
        post(n + request, '/auth/password-reset/confirm', { token, newPassword: passwords[request] }),
      );
      expect(answers.map(labelOf).sort()).toEqual(oneWinner(200, '400 validation_error'));
      await expectOnlyPassword(
        user,
        passwords,
        answers.findIndex(({ status }) => status === 200),
      );
    }));

  it('an invitation that is resent while it is accepted is either accepted or sent', async () => {
    const outcomes = new Set<string>();
    await rounds(async (n) => {
      const guest = await replicas.createUser();
      const { id, token } = await invite(n, guest.email);
      // From the one clearly first, over both at once, to the other clearly first.
      const lead = ((n % 9) - 4) * 12;
      const [sent, accepted] = await Promise.all([
        sleep(Math.max(0, lead)).then(() => asAdmin(n, 'POST', `/auth/invitations/${id}/resend`)),
        sleep(Math.max(0, -lead)).then(() => accept(n + 1, token)),
      ]);
      const stored = await asAdmin(n, 'GET', `/auth/invitations/${id}`);
      const outcome = `resend ${labelOf(sent)}, accept ${labelOf(accepted)}, ${String(stored.data.status)}`;
      outcomes.add(outcome);
      expect(await countOf('places', guest.id), outcome).toBe(accepted.status === 200 ? 1 : 0);
      if (accepted.status === 200) return;
      expect((await accept(n, await mailedToken(guest.email, 2))).status, outcome).toBe(200);
      expect(await countOf('places', guest.id)).toBe(1);
    });
    // Both were met, and nothing else.
    expect([...outcomes].sort()).toEqual([
      'resend 200, accept 404 not_found, PENDING',
      'resend 409 conflict, accept 200, ACCEPTED',
    ]);
  });

  it('equal writes of a membership create one row', () =>
    rounds(async (n) => {
      const { id: userId } = await replicas.createUser();
      const body = {
        userId,
        role: 'ACCOUNTANT',
        moduleGrants: ['billing'],
        permissionGrants: ['bill.read'],
      };
      const path = `/internal/admin/companies/${company}/memberships`;
      const answers = await burst((request) => replicas.machine(n + request, 'POST', path, { body }));
      expect(answers.map(labelOf)).toEqual(Array<string>(BURST_SIZE).fill('200'));
      const rows = await replicas.sql('SELECT id, role FROM company_memberships WHERE user_id = $1', [
        userId,
      ]);
      expect(rows).toEqual([{ id: answers[0]?.data.id, role: 'ACCOUNTANT' }]);
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    }));
});
