import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { allowedMs } from '../support/beside-probe.js';
import { sharedNow } from '../support/proof/shared-clock.js';
import { Stalls } from '../support/proof/stalls.js';
import { VerifierProcess } from '../support/proof/verifier-process.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas, type Replica } from '../support/replicas.js';
import { IS_FULL } from '../support/scale.js';
import { INTERNAL_KEY } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { percentile, requestsIn } from '../support/verifier/refusal-time.js';

// A user can have 50 keys and make 20 an hour; the proof at scale has more users.
const USERS = IS_FULL ? 50 : 3;
const KEYS = IS_FULL ? 20 : 4;

/** An API key, a token that it was exchanged for, and how its owner revokes it. */
interface Credential {
  key: string;
  token: string;
  revoke: () => Promise<number>;
}

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 });

describeWithRedis('three processes that verify API keys and their tokens', () => {
  let replicas: Replicas;
  let links: TcpLink[];
  let verifiers: VerifierProcess[];
  let stalls: Stalls;
  let credentials: Credential[];

  beforeAll(async () => {
    replicas = await Replicas.start({ API_KEYS: 'all' }, { cheapPasswords: true });
    const urls = [0, 1, 1].map((replica) => replicas.both[replica === 0 ? 0 : 1].process.url);
    links = await Promise.all(urls.map((url) => TcpLink.to(url)));
    verifiers = await Promise.all(links.map((link, index) => startVerifier(link.by(urls[index] ?? ''))));
    stalls = new Stalls([
      ...replicas.both.map(health),
      ...verifiers.map(
        ({ call }) =>
          () =>
            call.verified(),
      ),
    ]);
    credentials = [];
    for (let user = 0; user < USERS; user += 1) credentials.push(...(await credentialsOf(user)));
  });

  afterAll(async () => {
    await stalls.stop();
    await Promise.all(verifiers.map((verifier) => verifier.stop()));
    await Promise.all(links.map((link) => link.close()));
    await replicas.stop();
  });

  /** Makes the keys of a user, half of them at each replica. */
  async function credentialsOf(turn: number): Promise<Credential[]> {
    const { email, password } = await replicas.createUser();
    const login = await replicas.turn(turn).call('POST', '/auth/login', { body: { email, password } });
    const { accessToken } = login.data;
    return Promise.all(
      Array.from({ length: KEYS }, async (_, index) => {
        const at = replicas.turn(index);
        const made = await at.call('POST', '/auth/api-keys', {
          token: accessToken,
          body: { name: 'Export' },
        });
        expect(made.status, made.text).toBe(201);
        const { key, apiKey } = made.data as unknown as { key: string; apiKey: { id: string } };
        const exchanged = await at.call('POST', '/auth/api-keys/exchange', { token: key });
        expect(exchanged.status, exchanged.text).toBe(200);
        const revoke = async (): Promise<number> =>
          (await at.call('DELETE', `/auth/api-keys/${apiKey.id}`, { token: accessToken })).status;
        return { key, token: exchanged.data.accessToken, revoke };
      }),
    );
  }

  const each = <T>(work: (verifier: VerifierProcess) => Promise<T>): Promise<T[]> =>
    Promise.all(verifiers.map(work));
  const calls = (): number => links.reduce((sum, { sent }) => sum + requestsIn(sent), 0);

  it('a key that was verified once, and every token of a key, causes no request to the service', async () => {
    const texts = credentials.flatMap(({ key, token }) => [key, token]);
    const first = await each(({ call }) => call.codes(texts));
    expect(new Set(first.flat())).toEqual(new Set(['accepted']));
    const before = calls();
    for (let round = 0; round < 3; round += 1) {
      const again = await each(({ call }) => call.codes(texts));
      expect(new Set(again.flat())).toEqual(new Set(['accepted']));
    }
    console.log(`${3 * 3 * texts.length} verifications: ${calls() - before} requests to the service`);
    expect(calls() - before).toBe(0);
  });

  it('a revoked key and its token are refused by all within a second of the response', async () => {
    const times: { ms: number; allowed: number }[] = [];
    for (const { key, token, revoke } of credentials) {
      const refusals = Promise.all([key, token].map((text) => each(({ call }) => call.untilRefused(text))));
      expect(await revoke()).toBe(200);
      const endedAt = sharedNow();
      for (const { acceptedAt, code } of (await refusals).flat()) {
        expect(code).toBe('unauthorized');
        const probeMs = stalls.longestIn(endedAt, acceptedAt);
        const allowed = IS_FULL ? Math.max(1_000, probeMs) : allowedMs(1_000, { probeMs });
        times.push({ ms: Math.max(0, acceptedAt - endedAt), allowed });
      }
    }
    const values = times.map(({ ms }) => ms);
    const figures = [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(0));
    console.log(`${times.length} refusals: p50, p99, max ${figures.join(', ')} ms`);
    expect(times).toHaveLength(2 * 3 * USERS * KEYS);
    expect(times.filter(({ ms, allowed }) => ms > allowed)).toEqual([]);
  });
});

const health =
  ({ process }: Replica) =>
  () =>
    fetch(`${process.url}/health`).then((reply) => reply.text());

const startVerifier = (url: string): Promise<VerifierProcess> =>
  VerifierProcess.start({
    issuer: 'http://localhost:3000',
    audience: 'latchkey',
    url,
    credential: { internalApiKey: INTERNAL_KEY },
    whenStale: 'refuse',
    apiKeys: true,
  });
