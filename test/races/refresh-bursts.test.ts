import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { waitUntil } from '../support/wait-until.js';

/** More of each for a longer run: LATCHKEY_RACE_BURSTS=2000 npx vitest run test/races/refresh-bursts.test.ts */
const BURSTS = Number(process.env.LATCHKEY_RACE_BURSTS ?? 100);
const REPLAYS = BURSTS * 2;
const BURST_SIZE = 20;
/** Less than the 25 ms after which a refresh responds by default. */
const SENT_WITHIN_MS = 15;
/** Replays under way at a time, each of a token of its own: a refresh waits most of its time. */
const REPLAYS_AT_ONCE = 4;
/**
 * Replays that may be answered with the successor. A replica that has just stalled cannot date what it reads next, and pardons it;
 * a busy machine stalls a replica now and then.
 */
const PARDONS_AT_MOST = REPLAYS / 20;
/** Time for one burst on a busy machine, with a margin. */
const TIMEOUT_MS = 30_000 + BURSTS * 500;

const refresh = (client: ApiClient, refreshToken: string): Promise<Answer> =>
  client.call('POST', '/auth/refresh', { body: { refreshToken } });

/** Returns statuses, error codes and distinct successors, so that a failure explains itself. */
function summary(answers: Answer[]) {
  const refusals = answers
    .filter(({ status }) => status !== 200)
    .map(({ status, code }) => `${status} ${code}`);
  const successors = new Set(
    answers.filter(({ status }) => status === 200).map(({ data }) => data.refreshToken),
  );
  return { refusals, successors: [...successors] };
}

describeWithRedis('one refresh token, used many times', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.warmUp(BURST_SIZE);
    userId = (await replicas.createUser()).id;
  });
  afterAll(() => replicas.stop());

  let userId: string;
  const newToken = async () => (await replicas.mint(userId)).refreshToken;

  /**
   * Returns the successor, or undefined if requests were refused because a busy machine interrupted this process while it
   * sent them: the last ones may then have left after the first response, and look like reuse.
   */
  async function burst(token: string, clientOf: (request: number) => ApiClient): Promise<string | undefined> {
    const begin = performance.now();
    const pending = Array.from({ length: BURST_SIZE }, (_, request) => refresh(clientOf(request), token));
    const sentAfter = nextTurn().then(() => performance.now() - begin);
    const { refusals, successors } = summary(await Promise.all(pending));
    if (refusals.length > 0 && (await sentAfter) > SENT_WITHIN_MS) return undefined;
    expect({ refusals, distinctSuccessors: successors.length }).toEqual({
      refusals: [],
      distinctSuccessors: 1,
    });
    return successors[0];
  }

  /** Sends bursts one after the other, each with the successor of the one before it. */
  async function sendBursts(count: number, clientOf: (turn: number, request: number) => ApiClient) {
    let token = await newToken();
    let generation = 0;
    for (let turn = 0; turn < count;) {
      const successor = await burst(token, (request) => clientOf(turn, request));
      turn += successor === undefined ? 0 : 1;
      generation = successor === undefined ? 0 : generation + 1;
      token = successor ?? (await newToken());
      await expectGeneration(generation, token);
    }
  }

  async function expectGeneration(generation: number, token: string) {
    const rows = await replicas.sql('SELECT generation, is_revoked FROM sessions ORDER BY id DESC LIMIT 1');
    expect(rows, token).toEqual([{ generation, is_revoked: false }]);
  }

  it(
    'a refresh token in simultaneous requests to two replicas is rotated once, and all of them get the successor',
    () => sendBursts(BURSTS, (turn, request) => replicas.turn(request + turn)),
    TIMEOUT_MS,
  );

  it(
    'a refresh token in simultaneous requests to one replica is rotated once',
    () => sendBursts(BURSTS / 2, (turn) => replicas.turn(turn)),
    TIMEOUT_MS,
  );

  it(
    'a refresh token that is presented right after its answer is reused, on either replica',
    async () => {
      let pardons = 0;
      let replays = 0;
      const work = async () => {
        while (replays < REPLAYS) {
          const replay = ++replays;
          const token = await newToken();
          const [first, other] = [replicas.turn(replay), replicas.turn(replay + 1)];
          const answer = await refresh(first, token);
          expect(answer.status).toBe(200);
          const again = await refresh(replay % 4 < 2 ? other : first, token);
          if (again.code === 'session_revoked') continue;
          pardons += 1;
          expect(summary([answer, again])).toEqual({ refusals: [], successors: [answer.data.refreshToken] });
        }
      };
      await Promise.all(Array.from({ length: REPLAYS_AT_ONCE }, work));
      expect(pardons).toBeLessThanOrEqual(PARDONS_AT_MOST);
    },
    TIMEOUT_MS,
  );

  describe('while one replica stalls', () => {
    /** The second replica gets no processor for so long; what it is sent waits in the kernel. */
    async function whileStill<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
      const { process } = replicas.both[1];
      process.signal('SIGSTOP');
      const working = work();
      await sleep(milliseconds);
      process.signal('SIGCONT');
      return working;
    }

    it.each([60, 150, 400])('a burst during a stall of %i ms is not reuse', async (milliseconds) => {
      const interruptedBurst = async () => {
        const token = await newToken();
        return whileStill(milliseconds, () => burst(token, (request) => replicas.turn(request)));
      };
      const successor = await waitUntil(interruptedBurst, { what: 'a burst that is sent at once' });
      expect((await refresh(replicas.turn(1), successor)).status).toBe(200);
    });

    it('a token that was spent before a stall is reuse nevertheless', async () => {
      const token = await newToken();
      await refresh(replicas.turn(0), token);
      await sleep(60);
      const again = await whileStill(100, () => refresh(replicas.turn(1), token));
      expect(again).toMatchObject({ status: 401, code: 'session_revoked' });
    });
  });
});
