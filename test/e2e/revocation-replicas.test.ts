import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { FeedStream } from '../support/feed-stream.js';
import { takeApart } from '../support/forged-token.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { waitUntil } from '../support/wait-until.js';

const LISTENERS = 300;
const WITHIN_MS = 1_000;

describeWithRedis('the revocation feed of two replicas', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start({}, { cheapPasswords: true });
  });
  afterAll(() => replicas.stop());

  /** Streams of the second replica, each of which has had its first event. */
  async function openStreams(count: number): Promise<FeedStream[]> {
    const [, { process }] = replicas.both;
    const streams = await Promise.all(Array.from({ length: count }, () => FeedStream.open(process.url)));
    onTestFinished(() => {
      for (const stream of streams) stream.close();
    });
    const hasBegun = () => streams.every(({ events }) => events.length > 0);
    await waitUntil(hasBegun, { what: 'the first event of every stream' });
    return streams;
  }

  /** Ends a session on the first replica. @returns its id, and when the response had come. */
  async function revoke(): Promise<{ sid: string; at: number }> {
    const user = await replicas.createUser();
    const { token } = await replicas.mint(user.id);
    const answer = await replicas.machine(0, 'POST', `/internal/admin/users/${user.id}/revoke-all`);
    expect(answer.status).toBe(200);
    return { sid: String(takeApart(token).claims.sid), at: performance.now() };
  }

  /** Expects a new revocation on every stream in time. @returns how long that took, in milliseconds. */
  async function expectPrompt(streams: readonly FeedStream[]): Promise<number> {
    const measured = await besideProbe(
      async () => {
        const { sid, at } = await revoke();
        const events = await Promise.all(streams.map((stream) => stream.entryOf(sid)));
        return Math.max(...events.map((event) => event.at - at));
      },
      // The same processes and the same database, without anything to wait for.
      () => replicas.machine(1, 'GET', '/internal/revocations'),
    );
    expect(measured.result).toBeLessThan(allowedMs(WITHIN_MS, measured));
    return measured.milliseconds;
  }

  it('a revocation on one replica is on the stream of the other within a second', async () => {
    const streams = await openStreams(1);
    for (let times = 0; times < 5; times += 1) await expectPrompt(streams);
  });

  it('a revocation is announced to all replicas after its commit', async () => {
    const redis = new Redis(replicas.redis.url);
    onTestFinished(() => redis.disconnect());
    const channels: string[] = [];
    redis.on('pmessage', (_pattern: string, channel: string) => channels.push(channel));
    await redis.psubscribe('*');
    await revoke();
    await waitUntil(() => channels.length > 0, { what: 'an announcement' });
    expect(new Set(channels)).toEqual(new Set(['channel:latchkey:revocations']));
  });

  it('300 streams of one replica receive a revocation within a second, by the reads of one', async () => {
    const streams = await openStreams(LISTENERS);
    await expectPrompt(streams);
    const before = await pollsOf(1);
    const seconds = (await expectPrompt(streams)) / 1000;
    const { polls, listeners } = await pollsOf(1);
    expect(listeners).toBe(LISTENERS);
    expect(polls - before.polls).toBeLessThan(5 * seconds + 10);
  });

  it('without Redis a revocation is on the stream of the other replica within a second', async () => {
    const streams = await openStreams(1);
    replicas.redis.kill();
    for (let times = 0; times < 5; times += 1) await expectPrompt(streams);
  });

  async function pollsOf(n: number): Promise<{ polls: number; listeners: number }> {
    const { text } = await replicas.both[n === 0 ? 0 : 1].client.send('GET', '/metrics', {
      headers: { 'x-internal-api-key': 'internal-key-of-the-tests' },
    });
    const valueOf = (name: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    return {
      polls: valueOf('latchkey_revocation_feed_polls_total{outcome="success"}'),
      listeners: valueOf('latchkey_revocation_feed_listeners'),
    };
  }
});
