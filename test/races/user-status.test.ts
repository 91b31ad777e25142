import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

describeWithRedis('races between authority changes, on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.warmUp(10);
  });
  afterAll(() => replicas.stop());

  const login = (n: number, { email, password }: TestUser) =>
    replicas.turn(n).call('POST', '/auth/login', { body: { email, password } });
  const liveSessions = (userId: string) =>
    replicas.sql('SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked', [userId]);

  it('a sign-in that overlaps a deactivation leaves no live session', async () => {
    for (let round = 0; round < 20; round++) {
      const user = await replicas.createUser();
      const [signedIn, deactivated] = await Promise.all([
        login(round, user),
        sleep(round * 4).then(() =>
          replicas.machine(round + 1, 'DELETE', `/internal/admin/users/${user.id}`),
        ),
      ]);
      expect(deactivated.status).toBe(200);
      expect(await liveSessions(user.id)).toEqual([]);
      if (signedIn.status !== 200) {
        expect(signedIn).toMatchObject({ status: 403, code: 'account_inactive' });
        continue;
      }
      const { accessToken: token } = signedIn.data;
      expect(await replicas.turn(round).call('GET', '/auth/me', { token })).toMatchObject({
        status: 401,
        code: 'session_revoked',
      });
    }
  });

  it('a sign-in with the old password that overlaps its change leaves no live session', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await replicas.createUser();
      const own = await replicas.mint(user.id);
      const body = { currentPassword: PASSWORD, newPassword: 'another horse, another battery' };
      const [changed, signedIn] = await Promise.all([
        replicas.turn(round).call('POST', '/auth/password/change', { token: own.token, body }),
        sleep(round * 10).then(() => login(round + 1, user)),
      ]);
      expect(changed.status, changed.text).toBe(200);
      expect([200, 401], signedIn.text).toContain(signedIn.status);
      expect(await liveSessions(user.id)).toHaveLength(1);
      expect((await replicas.turn(round).call('GET', '/auth/me', { token: own.token })).status).toBe(200);
    }
  });

  describe('two superadmins', () => {
    const superadmins = () =>
      replicas.sql("SELECT id FROM users WHERE global_role = 'PLATFORM_SUPERADMIN' AND is_active");

    async function twoSuperadmins() {
      await replicas.sql("UPDATE users SET global_role = 'NONE' WHERE global_role = 'PLATFORM_SUPERADMIN'");
      const wanted = { role: 'PLATFORM_SUPERADMIN' } as const;
      const users = await Promise.all([replicas.createUser(wanted), replicas.createUser(wanted)]);
      return Promise.all(users.map(async ({ id }) => ({ id, ...(await replicas.mint(id)) })));
    }

    it.each([
      ['demote', { globalRole: 'NONE' }],
      ['deactivate', { isActive: false }],
    ])('two superadmins who %s each other at once do not both succeed', async (_what, body) => {
      for (let round = 0; round < 15; round++) {
        const [one, two] = await twoSuperadmins();
        if (!one || !two) throw new Error('There are two.');
        const answers = await Promise.all([
          replicas.turn(round).call('PATCH', `/internal/users/${two.id}`, { token: one.token, body }),
          replicas.turn(round + 1).call('PATCH', `/internal/users/${one.id}`, { token: two.token, body }),
        ]);
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect([401, 403, 409]).toEqual(expect.arrayContaining(statuses.filter((status) => status !== 200)));
        expect(await superadmins()).toHaveLength(1);
      }
    });

    it('two superadmins cannot both be demoted by the machine key at once', async () => {
      for (let round = 0; round < 15; round++) {
        const both = await twoSuperadmins();
        const answers = await Promise.all(
          both.map(({ id }, n) =>
            replicas.machine(n, 'PATCH', `/internal/admin/users/${id}`, { body: { globalRole: 'NONE' } }),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        expect(await superadmins()).toHaveLength(1);
      }
    });
  });

  /** Registers again while hashing is too busy, as the answer 503 asks. */
  async function registered(n: number, body: object): Promise<Answer> {
    const answer = await replicas.turn(n).call('POST', '/auth/register', { body });
    return answer.status === 503 ? registered(n, body) : answer;
  }

  it('of simultaneous registrations of one email, however it is written, one succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      const email = `racer-${round}@example.com`;
      const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('racer', 'Racer')];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          registered(n, {
            email: spellings[n % spellings.length],
            password: PASSWORD,
            fullName: `Racer ${n}`,
          }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
      const users = await replicas.sql('SELECT email FROM users WHERE lower(email) = $1', [email]);
      expect(users).toEqual([{ email }]);
      const mails = await replicas.sql('SELECT 1 FROM mail_outbox WHERE recipient = $1', [email]);
      expect(mails.length).toBeLessThanOrEqual(1);
    }
  });
});
