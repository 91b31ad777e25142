import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { externalEnv, googlePerson, newVerifier, s256Of } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { FACTOR_KEY } from '../support/service.js';

/** More rounds show more: `EXTERNAL_ROUNDS=100 npx vitest run test/races/external-sign-in.test.ts`. */
const ROUNDS = Number(process.env.EXTERNAL_ROUNDS ?? '3');
const BURST_SIZE = 50;

vi.setConfig({ testTimeout: 60_000 + ROUNDS * 5_000 });

describeWithRedis('a response of a provider, sent many times at once to two replicas', () => {
  let provider: HostileProvider;
  let replicas: Replicas;
  beforeAll(async () => {
    provider = await HostileProvider.start();
    replicas = await Replicas.start(
      {
        ...externalEnv(provider),
        FACTOR_ENCRYPTION_KEYS: FACTOR_KEY,
        EXTERNAL_SIGN_UP: 'true',
        REGISTRATION_APPROVAL: 'none',
      },
      { cheapPasswords: true },
    );
    await replicas.warmUp(BURST_SIZE / 2);
  });
  afterAll(async () => {
    await replicas.stop();
    provider.stop();
  });

  async function begun(connectionId: string): Promise<{ verifier: string; authorizationUrl: string }> {
    const verifier = newVerifier();
    const body = { connectionId, challenge: s256Of(verifier) };
    const { data, text } = await replicas.turn(0).call('POST', '/auth/external/start', { body });
    expect(data.authorizationUrl, text).toBeDefined();
    return { verifier, authorizationUrl: String(data.authorizationUrl) };
  }

  const burst = (body: object): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: BURST_SIZE }, (_, request) =>
        replicas.turn(request).send('POST', '/auth/external/finish', { body }),
      ),
    );

  const statusesOf = (answers: readonly Answer[]) => ({
    ok: answers.filter(({ status }) => status === 200).length,
    others: answers.filter(({ status }) => status !== 200 && status !== 401).map(({ text }) => text),
  });

  it('one code of a known user creates one session', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await replicas.createUser();
      const sub = randomUUID();
      await replicas.sql(
        'INSERT INTO external_identities (id, user_id, connection_id, subject) VALUES ($1, $2, $3, $4)',
        [randomUUID(), id, 'plain', sub],
      );
      const { authorizationUrl, verifier } = await begun('plain');
      const answers = await burst({ ...provider.visit(authorizationUrl, { sub }), verifier });
      expect(statusesOf(answers)).toEqual({ ok: 1, others: [] });
      const sessions = await replicas.sql('SELECT origin FROM sessions WHERE user_id = $1', [id]);
      expect(sessions).toEqual([{ origin: 'external' }]);
    }
  });

  it('one code of a newcomer creates one account and one session', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = googlePerson();
      const { authorizationUrl, verifier } = await begun('google');
      const answers = await burst({ ...provider.visit(authorizationUrl, person), verifier });
      expect(statusesOf(answers)).toEqual({ ok: 1, others: [] });
      const counted = await replicas.sql(
        `SELECT count(DISTINCT u.id)::int AS users, count(s.id)::int AS sessions,
           (SELECT count(*)::int FROM external_identities i WHERE i.subject = $2) AS identities
         FROM users u LEFT JOIN sessions s ON s.user_id = u.id WHERE u.email = $1`,
        [person.email, person.sub],
      );
      expect(counted).toEqual([{ users: 1, sessions: 1, identities: 1 }]);
    }
  });

  it('flows of one new person that end at once open one account', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = googlePerson();
      const flows = await Promise.all(Array.from({ length: 6 }, () => begun('google')));
      const answers = await Promise.all(
        flows.map(({ authorizationUrl, verifier }, request) =>
          replicas.turn(request).send('POST', '/auth/external/finish', {
            body: { ...provider.visit(authorizationUrl, person), verifier },
          }),
        ),
      );
      const unforeseen = answers.filter(({ status }) => ![200, 401, 409].includes(status));
      expect(unforeseen.map(({ text }) => text)).toEqual([]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const users = await replicas.sql('SELECT 1 FROM users WHERE email = $1', [person.email]);
      const identities = await replicas.sql('SELECT 1 FROM external_identities WHERE subject = $1', [
        person.sub,
      ]);
      expect([users.length, identities.length]).toEqual([1, 1]);
    }
  });
});
