import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, ApiOptions } from '../support/api-client.js';
import { PASSKEY_ENV, registerPasskey } from '../support/passkey-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { signInOf, stepUp, stepUpAssertion } from '../support/step-up-client.js';
import { PASSWORD } from '../support/test-users.js';

const BURST_SIZE = 12;
const TIMEOUT_MS = 120_000;

describeWithRedis('step-ups on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start(PASSKEY_ENV, { cheapPasswords: true });
    await replicas.warmUp(BURST_SIZE);
  });
  afterAll(() => replicas.stop());

  const at = (n: number) => ({
    api: (method: string, path: string, options?: ApiOptions) => replicas.turn(n).call(method, path, options),
  });
  const minted = async () => {
    const user = await replicas.createUser();
    return { ...user, ...(await replicas.mint(user.id)) };
  };
  const rowOf = async (token: string) => {
    const [row] = await replicas.sql(
      `SELECT amr, extract(epoch FROM auth_time)::int AS auth_time, failed_confirmations, confirming_until, is_revoked
       FROM sessions WHERE id = $1`,
      [signInOf(token).sid],
    );
    return row;
  };
  const successes = async (userId: string): Promise<number> =>
    (
      await replicas.sql(
        `SELECT 1 FROM auth_audit_logs WHERE event = 'step_up' AND outcome = 'success' AND subject_user_id = $1`,
        [userId],
      )
    ).length;
  const count = (answers: readonly Answer[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  it(
    'parallel step-ups of one session run one at a time, and none of the right ones is lost or counted as wrong',
    async () => {
      const user = await minted();
      const answers = await Promise.all(
        Array.from({ length: BURST_SIZE }, (_, n) => stepUp(at(n), user.token, { password: PASSWORD })),
      );
      const right = count(answers, 200);
      expect(right).toBeGreaterThan(0);
      expect(right + count(answers, 429)).toBe(BURST_SIZE);
      expect(await successes(user.id)).toBe(right);
      const row = await rowOf(user.token);
      expect(row).toMatchObject({ amr: ['mca', 'pwd'], failed_confirmations: 0, confirming_until: null });
    },
    TIMEOUT_MS,
  );

  it(
    'of many uses of one assertion one raises the session',
    async () => {
      const user = await minted();
      const authenticator = new SoftwareAuthenticator();
      expect((await registerPasskey(at(0), user, authenticator)).status).toBe(201);
      const credential = await stepUpAssertion(at(0), user.token, authenticator);
      const answers = await Promise.all(
        Array.from({ length: BURST_SIZE }, (_, n) => stepUp(at(n), user.token, { credential })),
      );
      expect(count(answers, 200)).toBe(1);
      expect(await successes(user.id)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'a step-up beside the end of its session yields no token that is accepted, and raises no session that has ended',
    async () => {
      const ends = [
        (n: number, { token }: { token: string }) => at(n).api('POST', '/auth/logout-all', { token }),
        (n: number, { id }: { id: string }) =>
          replicas.machine(n, 'POST', `/internal/users/${id}/revoke-all`),
        (n: number, { id }: { id: string }) => replicas.machine(n, 'DELETE', `/internal/admin/users/${id}`),
      ];
      for (let round = 0; round < 18; round += 1) {
        const user = await minted();
        const end = ends[round % ends.length]!;
        const [raised, ended] = await Promise.all([
          stepUp(at(round), user.token, { password: PASSWORD }),
          end(round + 1, user),
        ]);
        expect(ended.status, ended.text).toBe(200);
        expect([200, 401, 403]).toContain(raised.status);
        const row = await rowOf(user.token);
        expect(row).toMatchObject({ is_revoked: true });
        // The audit row is part of the statement that raises, so both are there or neither is.
        expect(row?.amr).toEqual(raised.status === 200 ? ['mca', 'pwd'] : ['mca']);
        expect(await successes(user.id)).toBe(raised.status === 200 ? 1 : 0);
        const token = raised.status === 200 ? raised.data.accessToken : user.token;
        expect(await at(round).api('GET', '/auth/me', { token })).toMatchObject({ status: 401 });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'a step-up beside a password change by another session raises nothing once that has ended it',
    async () => {
      for (let round = 0; round < 12; round += 1) {
        const user = await minted();
        const other = await replicas.mint(user.id);
        const body = { currentPassword: PASSWORD, newPassword: 'seven owls over the harbour' };
        const [raised, changed] = await Promise.all([
          stepUp(at(round), user.token, { password: PASSWORD }),
          at(round + 1).api('POST', '/auth/password/change', { token: other.token, body }),
        ]);
        expect(changed.status, changed.text).toBe(200);
        expect([200, 401]).toContain(raised.status);
        expect((await rowOf(user.token))?.amr).toEqual(raised.status === 200 ? ['mca', 'pwd'] : ['mca']);
        expect(await at(round).api('GET', '/auth/me', { token: user.token })).toMatchObject({
          code: 'session_revoked',
        });
      }
    },
    TIMEOUT_MS,
  );
});
