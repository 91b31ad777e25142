import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { WhenStale } from '@latchkey/verifier';
import { allowedMs } from '../support/beside-probe.js';
import { signRs256, takeApart } from '../support/forged-token.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { sharedNow } from '../support/proof/shared-clock.js';
import { Stalls } from '../support/proof/stalls.js';
import { VerifierProcess } from '../support/proof/verifier-process.js';
import { waysToEnd, type SignedInUser } from '../support/proof/ways-to-end-tokens.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas, type Replica } from '../support/replicas.js';
import { IS_FULL } from '../support/scale.js';
import { INTERNAL_KEY } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { percentile, requestsIn } from '../support/verifier/refusal-time.js';
import { runScript } from '../support/verifier/run-script.js';
import { waitUntil } from '../support/wait-until.js';

// What the revocation feed promises, at the scale of `npm run proof:revocations`; the suite runs a short form.
const LIVE_TOKENS = IS_FULL ? 10_000 : 300;
const REVOCATIONS = IS_FULL ? 1_000 : 28;
const AT_ONCE = 4;
/** Seconds that the clocks of the verifiers leap over in a fault; the rest of a silence passes by itself. */
const LEAP = IS_FULL ? 0 : 8;
const STALE_AFTER = 10;
const POLICIES: readonly WhenStale[] = ['refuse', { acceptSeconds: 2 }, 'ask'];
/** Seconds after an acknowledged revocation until no policy accepts the token, whatever happens to the feed. */
const LIMITS = [STALE_AFTER, STALE_AFTER + 2, STALE_AFTER];
const ISSUER = 'http://localhost:3000';
const ENTRIES = 100_000;
const MAX_BYTES = 32_000_000;

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 });

describeWithRedis('three processes that verify tokens of two replicas', () => {
  let postgres: TestPostgres;
  let replicas: Replicas;
  let links: TcpLink[];
  let verifiers: VerifierProcess[];
  let stalls: Stalls;

  beforeAll(async () => {
    postgres = await startPostgres();
    const database = { url: postgres.url, drop: () => postgres.stop() };
    const env = { ACCESS_TOKEN_TTL: '7200' };
    replicas = await Replicas.start(env, { cheapPasswords: true, database });
    const urls = [0, 1, 1].map((replica) => replicas.both[replica === 0 ? 0 : 1].process.url);
    links = await Promise.all(urls.map((url) => TcpLink.to(url)));
    verifiers = await Promise.all(
      links.map((link, index) => startVerifier(link.by(urls[index] ?? ''), index)),
    );
    stalls = new Stalls([
      ...replicas.both.map(health),
      ...verifiers.map(
        ({ call }) =>
          () =>
            call.verified(),
      ),
    ]);
  });

  afterAll(async () => {
    await stalls.stop();
    await Promise.all(verifiers.map((verifier) => verifier.stop()));
    await Promise.all(links.map((link) => link.close()));
    await replicas.stop();
  });

  const each = <T>(work: (verifier: VerifierProcess, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(verifiers.map(work));

  async function signedIn(): Promise<SignedInUser> {
    const user = await replicas.createUser();
    return { ...user, ...(await replicas.mint(user.id)) };
  }

  const calls = (): number => links.reduce((sum, { sent }) => sum + requestsIn(sent), 0);

  it('live tokens are accepted, and no verification causes a request to the service', async () => {
    const tokens = await liveTokens(replicas, LIVE_TOKENS);
    const codes = await each(({ call }) => call.hold(tokens));
    expect(new Set(codes.flat())).toEqual(new Set(['accepted']));
    const before = { calls: calls(), verified: await each(({ call }) => call.verified()) };
    for (let round = 0; round < 3; round += 1) await each(({ call }) => call.codes(tokens));
    const after = await each(({ call }) => call.verified());
    const verified = after.reduce((sum, count, index) => sum + count - (before.verified[index] ?? 0), 0);
    console.log(
      `${LIVE_TOKENS} tokens, ${verified} verifications: ${calls() - before.calls} requests to the service`,
    );
    expect(verified).toBeGreaterThanOrEqual(9 * LIVE_TOKENS);
    expect(calls() - before.calls).toBe(0);
  });

  /** Ends the token of a new user. @returns by how many milliseconds each verifier refused it after the response. */
  async function timesOf(way: string, turn: number): Promise<{ ms: number; allowed: number }[]> {
    const user = await signedIn();
    const codes = await each(({ call }) => call.codes([user.token]));
    expect(codes.flat(), way).toEqual(['accepted', 'accepted', 'accepted']);
    const refusals = each(({ call }) => call.untilRefused(user.token));
    expect(await waysToEnd(replicas)[way]?.(user, turn), way).toBe(200);
    const endedAt = sharedNow();
    return (await refusals).map(({ acceptedAt }) => {
      const probeMs = stalls.longestIn(endedAt, acceptedAt);
      // The proof at scale is strict: only a stall of more than a second excuses a late refusal.
      const allowed = IS_FULL ? Math.max(1_000, probeMs) : allowedMs(1_000, { probeMs });
      return { ms: Math.max(0, acceptedAt - endedAt), allowed };
    });
  }

  it('tokens that end in every way are refused by all within a second of the response', async () => {
    const ways = Object.keys(waysToEnd(replicas));
    const times: { ms: number; allowed: number }[] = [];
    const from = sharedNow();
    let next = 0;
    const work = async () => {
      for (let turn = next++; turn < REVOCATIONS; turn = next++)
        times.push(...(await timesOf(ways[turn % ways.length] ?? '', turn)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    report(`${REVOCATIONS} revocations in ${ways.length} ways, ${times.length} refusals`, times);
    console.log(`longest stall of the machine: ${stalls.longestIn(from, sharedNow()).toFixed(0)} ms`);
    expect(times).toHaveLength(3 * REVOCATIONS);
    expect(times.filter(({ ms, allowed }) => ms > allowed)).toEqual([]);
  });

  /** Expects that every verifier is live and knows what was revoked, soon after a fault has ended. */
  async function expectRecovery(what: string, revoked: readonly string[], kept: string): Promise<void> {
    const endedAt = sharedNow();
    const liveAt = await each(({ call }) => call.until('live'));
    const took = Math.max(...liveAt) - endedAt;
    console.log(`${what}: live again ${Math.max(0, took).toFixed(0)} ms after its end`);
    expect(took).toBeLessThan(allowedMs(5_000, { probeMs: stalls.longestIn(endedAt, Math.max(...liveAt)) }));
    for (const code of (await each(({ call }) => call.codes(revoked))).flat())
      expect(code).not.toBe('accepted');
    expect((await each(({ call }) => call.codes([kept]))).flat()).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    // A new revocation is as fast as ever.
    for (const { ms, allowed } of await timesOf('revoke_all', 0)) expect(ms).toBeLessThan(allowed);
  }

  /** Revokes during a fault of the feed, and expects that no policy accepts the token for longer than it says. */
  async function revokeDuring(
    what: string,
    user: SignedInUser,
    { limits = LIMITS, leap = LEAP } = {},
  ): Promise<void> {
    const refusals = each(({ call }) => call.untilRefused(user.token));
    expect(await waysToEnd(replicas).revoke_all?.(user, 0)).toBe(200);
    const endedAt = sharedNow();
    await each(({ call }) => call.pass(leap));
    const times = (await refusals).map(({ acceptedAt }, index) => {
      const probeMs = stalls.longestIn(endedAt, acceptedAt);
      return { ms: acceptedAt - endedAt, allowed: allowedMs((limits[index] ?? 0) * 1_000, { probeMs }) };
    });
    report(`${what}: a token that is revoked meanwhile is accepted for`, times);
    for (const { ms, allowed } of times) expect(ms).toBeLessThan(allowed);
  }

  it.each([
    ['the feed is cut', (link: TcpLink) => link.cut()],
    ['the feed is paused', (link: TcpLink) => link.pause()],
  ] as const)('no revoked token is accepted beyond the policy while %s', async (what, fail) => {
    const [kept, revoked] = [await signedIn(), await signedIn()];
    links.forEach(fail);
    await revokeDuring(what, revoked);
    for (const link of links) link.fix();
    await expectRecovery(what, [revoked.token], kept.token);
  });

  it('verifiers of a replica that is killed continue at another one', async () => {
    const [kept, revoked] = [await signedIn(), await signedIn()];
    const mortal = await replicas.startAnother();
    await moveTo(mortal, links);
    await each(({ call }) => call.until('live'));
    mortal.client.close();
    mortal.process.signal('SIGKILL');
    for (const link of links) link.leadTo(replicas.both[0].process.url);
    await mortal.process.exited;
    await revokeDuring('the replica is killed', revoked, { limits: [5, 5, 5], leap: 0 });
    await expectRecovery('the replica is killed', [revoked.token], kept.token);
  });

  it('no token is accepted beyond the policy while PostgreSQL is gone, and nothing is missed when it is back', async () => {
    const [kept, revoked] = [await signedIn(), await signedIn()];
    expect(await waysToEnd(replicas).logout?.(revoked, 1)).toBe(200);
    await postgres.kill();
    // Until then a sign of life may rest on what was read before.
    await sleep(2_500);
    await each(({ call }) => call.pass(LEAP));
    await each(({ call }) => call.until('stale'));
    const codes = (await each(({ call }) => call.codes([kept.token]))).flat();
    expect(codes[0]).toBe('service_unavailable');
    expect(codes[2]).toBe('service_unavailable');
    await postgres.restart();
    await expectRecovery('PostgreSQL is killed', [revoked.token], kept.token);
  });

  it('a clock that is set makes a verifier ask or refuse at once, and it is live again', async () => {
    const [kept, revoked] = [await signedIn(), await signedIn()];
    for (const jump of IS_FULL ? [60, -60, 3_600, -3_600] : [60]) {
      const codes = await each(async ({ call }) => {
        await call.sleep(jump);
        return call.codes([kept.token]);
      });
      expect(codes.slice(0, 2).flat()).toEqual(['service_unavailable', 'service_unavailable']);
      await each(({ call }) => call.until('live'));
    }
    expect(await waysToEnd(replicas).revoke_all?.(revoked, 1)).toBe(200);
    await each(({ call }) => call.untilRefused(revoked.token));
    await expectRecovery('the clock is set', [revoked.token], kept.token);
  });

  it('without Redis a revocation is refused within a second too', async () => {
    const kept = await signedIn();
    replicas.redis.kill();
    const times: { ms: number; allowed: number }[] = [];
    for (let turn = 0; turn < REVOCATIONS / 10; turn += 1) times.push(...(await timesOf('revoke_all', turn)));
    report('Redis is gone: accepted for', times);
    expect(times.filter(({ ms, allowed }) => ms > allowed)).toEqual([]);
    await expectRecovery('Redis is gone', [], kept.token);
  });

  it.runIf(IS_FULL)(
    `a verifier that starts with ${ENTRIES} entries takes less than 32 MB for them`,
    async () => {
      await replicas.sql(`INSERT INTO revocations (session_id)
      SELECT gen_random_uuid() FROM generate_series(1, ${ENTRIES})`);
      const options = { issuer: ISSUER, audience: 'latchkey', credential: { internalApiKey: INTERNAL_KEY } };
      const output = await runScript(new URL('../support/verifier/measure-memory.ts', import.meta.url), {
        nodeOptions: ['--expose-gc'],
        env: { OPTIONS: JSON.stringify({ ...options, url: replicas.both[0].process.url }) },
      });
      const { entries, bytes } = JSON.parse(output) as { entries: number; bytes: number };
      console.log(`${entries} entries: ${(bytes / 1e6).toFixed(1)} MB`);
      expect(entries).toBeGreaterThanOrEqual(ENTRIES);
      expect(bytes).toBeLessThan(MAX_BYTES);
    },
  );
});

const health =
  ({ process }: Replica) =>
  () =>
    fetch(`${process.url}/health`).then((reply) => reply.text());

const startVerifier = (url: string, index: number): Promise<VerifierProcess> =>
  VerifierProcess.start({
    issuer: ISSUER,
    audience: 'latchkey',
    url,
    credential: { internalApiKey: INTERNAL_KEY },
    whenStale: POLICIES[index] ?? 'refuse',
  });

/** Breaks all connections, and lets new ones lead to another replica. */
async function moveTo({ process }: Replica, links: readonly TcpLink[]): Promise<void> {
  const before = links.map(({ sent }) => sent.length);
  for (const link of links) {
    link.leadTo(process.url);
    link.cut();
    link.fix();
  }
  const haveMoved = () => links.every(({ sent }, index) => sent.length > (before[index] ?? 0));
  await waitUntil(haveMoved, { what: 'new connections' });
}

/** Tokens of new sessions, written directly and signed with the key of the service. */
async function liveTokens(replicas: Replicas, count: number): Promise<string[]> {
  const { id } = await replicas.createUser();
  const { token } = await replicas.mint(id);
  const { header, claims } = takeApart(token);
  const sessions = Array.from({ length: count }, () => randomUUID());
  await replicas.sql(
    `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
     SELECT sid, $1, sha256(sid::text::bytea), sha256(sid::text::bytea), 'minted', '{}', now() + interval '1 day'
     FROM unnest($2::uuid[]) AS sid`,
    [id, sessions],
  );
  const tokens: string[] = [];
  for (const sid of sessions) {
    tokens.push(signRs256({ header, claims: { ...claims, sid, jti: randomUUID() } }));
    // The links of the verifiers are in this process, and must not wait for all of them.
    await nextTurn();
  }
  return tokens;
}

function report(what: string, times: readonly { ms: number }[]): void {
  const values = times.map(({ ms }) => ms);
  const figure = (share: number) => `${percentile(values, share).toFixed(0)} ms`;
  console.log(`${what}: p50 ${figure(0.5)}, p99 ${figure(0.99)}, max ${figure(1)}`);
}
