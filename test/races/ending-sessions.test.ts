import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas, type Tokens } from '../support/replicas.js';

const ROUNDS = 50;

describeWithRedis('ending a session while it is used, on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.warmUp(10);
  });
  afterAll(() => replicas.stop());

  const refresh = (n: number, refreshToken: string) =>
    replicas.turn(n).call('POST', '/auth/refresh', { body: { refreshToken } });
  const me = (n: number, token: string) => replicas.turn(n).call('GET', '/auth/me', { token });
  const pairOf = ({ data }: Answer): Tokens => ({ token: data.accessToken, refreshToken: data.refreshToken });

  async function expectEnded(n: number, { token, refreshToken }: Tokens): Promise<void> {
    const ended = { status: 401, code: 'session_revoked' };
    expect(await me(n, token)).toMatchObject(ended);
    expect(await refresh(n + 1, refreshToken)).toMatchObject(ended);
  }

  /**
   * Races a refresh on one replica against `end` on the other, each round a little later: from 20 ms before the refresh,
   * because on a loaded machine an end takes longer than a refresh waits before it rotates.
   */
  async function race(end: (n: number, tokens: Tokens) => Promise<Answer>): Promise<void> {
    const user = await replicas.createUser();
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const tokens = await replicas.mint(user.id);
      const delay = round - 20;
      const [refreshed, ended] = await Promise.all([
        sleep(Math.max(-delay, 0)).then(() => refresh(round, tokens.refreshToken)),
        sleep(Math.max(delay, 0)).then(() => end(round + 1, tokens)),
      ]);
      expect(ended.status, ended.text).toBe(200);
      outcomes.add(`${refreshed.status} ${refreshed.code ?? ''}`.trim());
      await expectEnded(round, refreshed.status === 200 ? pairOf(refreshed) : tokens);
    }
    // Early ends come before the rotation, late ones after it: both were met.
    expect([...outcomes].sort()).toEqual(['200', '401 session_revoked']);
  }

  it('after a logout the tokens of a simultaneous refresh do not work', () =>
    race((n, { refreshToken }) => replicas.turn(n).call('POST', '/auth/logout', { body: { refreshToken } })));

  it('after a logout everywhere the tokens of a simultaneous refresh do not work', () =>
    race((n, { token }) => replicas.turn(n).call('POST', '/auth/logout-all', { token })));

  it('a session that is revoked on one replica is rejected by the other from that moment', async () => {
    const user = await replicas.createUser();
    for (let round = 0; round < 20; round++) {
      const { token } = await replicas.mint(user.id);
      let revokedAt = Infinity;
      const poll = async () => {
        const late: Answer[] = [];
        while (late.length < 3) {
          const sentAt = performance.now();
          const answer = await me(round, token);
          if (sentAt > revokedAt) late.push(answer);
        }
        return late;
      };
      const polls = [poll(), poll(), poll()];
      await sleep(10);
      const path = `/internal/sessions/${String(decodeJwt(token).sid)}/revoke`;
      expect((await replicas.machine(round + 1, 'POST', path)).status).toBe(200);
      revokedAt = performance.now();
      const seen = (await Promise.all(polls)).flat().map(({ status, code }) => `${status} ${code ?? ''}`);
      expect(new Set(seen)).toEqual(new Set(['401 session_revoked']));
    }
  });
});
