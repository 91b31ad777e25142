import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas, type Tokens } from '../support/replicas.js';

const COMPANY = randomUUID();

describeWithRedis('races about hand-offs, on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.warmUp(4);
  });
  afterAll(() => replicas.stop());

  const member = async () => {
    const user = await replicas.createUser();
    await replicas.sql(
      'INSERT INTO company_memberships (id, user_id, company_id) VALUES (gen_random_uuid(), $1, $2)',
      [user.id, COMPANY],
    );
    return { user, session: await replicas.mint(user.id) };
  };
  const codeOf = async (n: number, { token }: Tokens): Promise<string> => {
    const options = { token, headers: { 'x-org': COMPANY } };
    const answer = await replicas.turn(n).call('POST', '/auth/handoff/create', options);
    expect(answer.status, answer.text).toBe(200);
    return String(answer.data.code);
  };
  const exchange = (n: number, code: string): Promise<Answer> =>
    replicas.turn(n).call('POST', '/auth/handoff/exchange', { body: { code } });
  const live = (userId: string) =>
    replicas.sql('SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked', [userId]);
  const deadlocks = async (): Promise<number> => {
    // What a connection has counted is published after a moment; what it has read is kept until it is cleared.
    const [row] = await replicas.sql(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.deadlocks);
  };

  it('an exchange that overlaps the revocation of the creating session leaves no active session', async () => {
    const ends: ((n: number, userId: string, tokens: Tokens) => Promise<Answer>)[] = [
      (n, _id, { refreshToken }) => replicas.turn(n).call('POST', '/auth/logout', { body: { refreshToken } }),
      (n, _id, { token }) => replicas.turn(n).call('POST', '/auth/logout-all', { token }),
      (n, id) => replicas.machine(n, 'POST', `/internal/users/${id}/revoke-all`),
    ];
    for (let round = 0; round < 30; round++) {
      const { user, session } = await member();
      const codes = await Promise.all([0, 1, 2, 3].map((n) => codeOf(n, session)));
      const end = ends[round % ends.length];
      const [ended, ...exchanged] = await Promise.all([
        end?.(round, user.id, session),
        ...codes.map((code, n) => exchange(n, code)),
      ]);
      expect(ended?.status, ended?.text).toBe(200);
      for (const { status } of exchanged) expect([200, 401]).toContain(status);
      expect(await live(user.id)).toEqual([]);
    }
  });

  it('exchanges beside changes of membership, revocations and sign-ins never deadlock and are never rejected for it', async () => {
    const before = await deadlocks();
    const answers: Answer[] = [];
    for (let round = 0; round < 15; round++) {
      const { user, session } = await member();
      const codes = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => codeOf(n, session)));
      const upsert = (n: number) =>
        replicas.machine(n, 'POST', `/internal/admin/companies/${COMPANY}/memberships`, {
          body: { userId: user.id, role: n % 2 === 0 ? 'ADMIN' : 'MEMBER' },
        });
      const mint = (n: number) => replicas.machine(n, 'POST', `/internal/admin/users/${user.id}/sessions`);
      answers.push(
        ...(await Promise.all([
          ...codes.flatMap((code, n) => [exchange(n, code), upsert(n), mint(n + 1)]),
          replicas.machine(round, 'POST', `/internal/users/${user.id}/revoke-all`),
          round % 3 === 0 ? replicas.machine(round, 'DELETE', `/internal/admin/users/${user.id}`) : upsert(1),
        ])),
      );
    }
    // On a starved machine a command of Redis may time out, which says nothing about locks.
    const rejected = answers.filter(({ status, text }) => status >= 500 && !text.includes('Redis'));
    expect(rejected.map(({ text }) => text)).toEqual([]);
    expect(await deadlocks()).toBe(before);
  });
});
