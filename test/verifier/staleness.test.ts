import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VerifierStatus, WhenStale } from '@latchkey/verifier';
import { accessToken, requestWith } from '../support/verifier/access-token.js';
import type { FeedService } from '../support/verifier/feed-service.js';
import { MovedClock } from '../support/verifier/moved-clock.js';
import {
  closeAfterEach,
  codeOf,
  feedService,
  untilState,
  verifierOf,
} from '../support/verifier/verifiers.js';
import { waitUntil } from '../support/wait-until.js';

closeAfterEach();

/** A verifier whose service has stopped, so that only its clock decides. */
async function cutOff(whenStale: WhenStale) {
  const service = await feedService();
  const clock = new MovedClock();
  const verifier = await verifierOf(service, { whenStale, clock });
  const now = Math.floor(Date.now() / 1000);
  const token = await accessToken({ iat: now - 4_000, nbf: now - 4_000, exp: now + 80_000 });
  expect(await codeOf(verifier, token)).toBe('accepted');
  await service.stop();
  return { service, clock, verifier, token };
}

describe('a feed without a sign of life', () => {
  it('the feed is stale after ten seconds, and not before', async () => {
    const { clock, verifier, token } = await cutOff('refuse');
    clock.pass(9);
    expect(verifier.status.state).toBe('live');
    expect(await codeOf(verifier, token)).toBe('accepted');
    expect(verifier.recallToken(token)).toBeDefined();
    clock.pass(1.01);
    expect(verifier.recallToken(token)).toBeUndefined();
    expect(await codeOf(verifier, token)).toBe('service_unavailable');
    expect(verifier.status).toMatchObject({ state: 'stale' });
  });

  it('refuse answers 503 with a time to retry', async () => {
    const { clock, verifier, token } = await cutOff('refuse');
    clock.pass(11);
    const error: unknown = await verifier.authenticate(requestWith(token)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503, retryAfterSeconds: 1 });
  });

  it.each([0, 5, 30, 600])(
    'acceptSeconds %d accepts for so long after the feed went stale',
    async (acceptSeconds) => {
      const { clock, verifier, token } = await cutOff({ acceptSeconds });
      clock.pass(9 + acceptSeconds);
      expect(await codeOf(verifier, token)).toBe('accepted');
      clock.pass(1.01);
      expect(await codeOf(verifier, token)).toBe('service_unavailable');
    },
  );

  it('a revocation that is known is refused as such, however stale the feed is', async () => {
    const service = await feedService();
    const sid = randomUUID();
    service.revokeSession(sid);
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { whenStale: 'refuse', clock });
    await service.stop();
    clock.pass(60);
    expect(await codeOf(verifier, await accessToken({ sid }))).toBe('session_revoked');
    expect(await codeOf(verifier, 'x.y.z')).toBe('unauthorized');
  });

  it('the state is reported when it changes', async () => {
    const states: VerifierStatus['state'][] = [];
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock, onStateChange: ({ state }) => states.push(state) });
    await service.stop();
    clock.pass(11);
    await untilState(verifier, 'stale');
    await service.listen();
    await untilState(verifier, 'live');
    await waitUntil(() => states.length === 3, { what: 'three changes' });
    expect(states).toEqual(['live', 'stale', 'live']);
  });
});

describe('a sleep, or a wall clock that was set', () => {
  it.each([30, -30, 3_600, -3_600])('a jump of %d s makes the feed stale at once', async (jump) => {
    const { clock, verifier, token } = await cutOff('refuse');
    clock.sleep(jump);
    expect(await codeOf(verifier, token)).toBe('service_unavailable');
  });

  it('a sleep counts in full for acceptSeconds', async () => {
    const { clock, verifier, token } = await cutOff({ acceptSeconds: 30 });
    clock.sleep(20);
    expect(await codeOf(verifier, token)).toBe('accepted');
    expect(verifier.status.state).toBe('stale');
    clock.sleep(21);
    expect(await codeOf(verifier, token)).toBe('service_unavailable');
  });

  it('after a sleep the feed is live again by a new connection only', async () => {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock, whenStale: 'refuse' });
    const sid = randomUUID();
    const token = await accessToken({ sid });
    expect(await codeOf(verifier, token)).toBe('accepted');
    const streams = service.count('stream');
    clock.sleep(3_600);
    expect(await codeOf(verifier, await accessToken({ exp: Math.floor(clock.now() / 1000) + 60 }))).toBe(
      'service_unavailable',
    );
    await untilState(verifier, 'live');
    expect(service.count('stream')).toBe(streams + 1);
  });
});

describe('ask', () => {
  const answer = (service: FeedService, status: number, body: unknown): void => {
    service.profile = { status, body };
  };
  const refusal = (code: string) => ({ success: false, error: { code, message: 'No.' } });

  async function asking() {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { whenStale: 'ask', clock });
    const [sub, sid] = [randomUUID(), randomUUID()];
    const token = await accessToken({ sub, sid });
    service.feedStatus = 503;
    service.endStreams();
    clock.pass(11);
    await untilState(verifier, 'stale');
    answer(service, 200, { success: true, data: { id: sub, sessionId: sid } });
    return { service, clock, verifier, token };
  }

  it('the service is asked once for a token and second', async () => {
    const { service, clock, verifier, token } = await asking();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(verifier, token)));
    expect(new Set(codes)).toEqual(new Set(['accepted']));
    expect(service.count('/auth/me')).toBe(1);
    clock.pass(1.01);
    expect(await codeOf(verifier, token)).toBe('accepted');
    expect(service.count('/auth/me')).toBe(2);
  });

  it('the service is not asked while the feed is live, or about an invalid token', async () => {
    const { service, verifier } = await asking();
    expect(await codeOf(verifier, 'x.y.z')).toBe('unauthorized');
    service.feedStatus = undefined;
    await untilState(verifier, 'live');
    expect(await codeOf(verifier, await accessToken())).toBe('accepted');
    expect(service.count('/auth/me')).toBe(0);
  });

  it.each([
    ['session_revoked', 401, refusal('session_revoked')],
    ['account_inactive', 403, refusal('account_inactive')],
    ['unauthorized', 401, refusal('a_code_of_the_future')],
    ['forbidden', 403, refusal('a_code_of_the_future')],
    ['service_unavailable', 403, '<html>'],
    ['service_unavailable', 200, '<html>'],
    ['service_unavailable', 500, refusal('internal_error')],
    ['unauthorized', 200, { success: true, data: { id: 'another user', sessionId: 'x' } }],
  ])('the refusal is %s when the service answers %d %j', async (code, status, body) => {
    const { service, verifier, token } = await asking();
    answer(service, status, body);
    expect(await codeOf(verifier, token)).toBe(code);
  });

  it('a token is refused with 503 when the service cannot be reached', async () => {
    const { service, verifier, token } = await asking();
    await service.stop();
    expect(await codeOf(verifier, token)).toBe('service_unavailable');
  });
});
