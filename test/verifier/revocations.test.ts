import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Verifier } from '@latchkey/verifier';
import { accessToken, requestWith } from '../support/verifier/access-token.js';
import { closeAfterEach, feedService, untilState, verifierOf } from '../support/verifier/verifiers.js';
import { waitUntil } from '../support/wait-until.js';

closeAfterEach();

const outcome = (verifier: Verifier, token: string): Promise<unknown> =>
  verifier.authenticate(requestWith(token)).then(
    () => 'accepted',
    (error: unknown) => error,
  );
const untilRefused = (verifier: Verifier, token: string) =>
  waitUntil(async () => (await outcome(verifier, token)) !== 'accepted', { what: 'a refusal' });

describe('entries of the feed', () => {
  it('a session that was revoked before the start is refused', async () => {
    const service = await feedService();
    const sid = randomUUID();
    service.revokeSession(sid);
    const verifier = await verifierOf(service);
    expect(await outcome(verifier, await accessToken({ sid }))).toMatchObject({
      ...{ code: 'session_revoked', status: 401, message: 'This session was ended. Sign in again.' },
    });
    expect(verifier.status.entries).toBe(1);
  });

  it('a session that is revoked later is refused, and its remembered token with it', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    const [sid, other] = [randomUUID(), await accessToken()];
    const token = await accessToken({ sid: sid.toUpperCase() });
    expect(await outcome(verifier, token)).toBe('accepted');
    expect(verifier.recallToken(token)).toBeDefined();
    service.revokeSession(sid);
    await untilRefused(verifier, token);
    expect(await outcome(verifier, token)).toMatchObject({ code: 'session_revoked' });
    expect(() => verifier.recallToken(token)).toThrow(
      expect.objectContaining({ code: 'session_revoked' }) as Error,
    );
    expect(await outcome(verifier, other)).toBe('accepted');
  });

  it('tokens of an older version than the entry are refused, and newer ones accepted', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    const sub = randomUUID();
    const [before, after] = [
      await accessToken({ sub, tokenVersion: 3 }),
      await accessToken({ sub, tokenVersion: 4 }),
    ];
    expect(await outcome(verifier, before)).toBe('accepted');
    service.outdateTokens(sub, 4);
    await untilRefused(verifier, before);
    expect(await outcome(verifier, before)).toMatchObject({
      ...{ code: 'unauthorized', reason: 'access_token_outdated', status: 401 },
      message: 'The access token is outdated. Refresh it.',
    });
    expect(await outcome(verifier, after)).toBe('accepted');
  });

  it('an entry that is repeated, or older than a known one, changes nothing', async () => {
    const service = await feedService();
    const sub = randomUUID();
    for (const version of [4, 2, 4]) service.outdateTokens(sub, version);
    const verifier = await verifierOf(service);
    expect(verifier.status.entries).toBe(1);
    expect(await outcome(verifier, await accessToken({ sub, tokenVersion: 3 }))).toMatchObject({
      reason: 'access_token_outdated',
    });
  });

  it('entries of unknown types are ignored', async () => {
    const service = await feedService();
    service.entries.add({ type: 'weather-change', sky: 'clear' });
    service.revokeSession(randomUUID());
    const verifier = await verifierOf(service);
    expect(verifier.status).toMatchObject({ state: 'live', entries: 1 });
  });

  it('a message that cannot be read makes the feed stale rather than lose a revocation', async () => {
    const service = await feedService();
    service.entries.add({ type: 'session-revoked', sid: 7 });
    const verifier = await verifierOf(service, { startStale: true, whenStale: 'refuse' });
    await waitUntil(() => verifier.status.error?.includes('cannot be read'), { what: 'the failure' });
    expect(await outcome(verifier, await accessToken())).toMatchObject({ code: 'service_unavailable' });
  });

  it('no request of a caller causes a request to the service', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    const before = service.requests.length;
    for (let count = 0; count < 50; count++) await verifier.authenticate(requestWith(await accessToken()));
    expect(service.requests.length - before).toBe(0);
  });
});

describe('a cursor', () => {
  it('the feed resumes where it was cut, and misses nothing in between', async () => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    const sid = randomUUID();
    const token = await accessToken({ sid });
    await service.stop();
    service.revokeSession(sid);
    await service.listen();
    await untilRefused(verifier, token);
    expect(await outcome(verifier, token)).toMatchObject({ code: 'session_revoked' });
  });

  it('a cursor that is gone is followed by a snapshot, and known entries stay', async () => {
    const service = await feedService();
    const [early, late] = [randomUUID(), randomUUID()];
    service.revokeSession(early);
    const verifier = await verifierOf(service);
    await service.stop();
    service.revokeSession(late);
    service.entries.oldest = 2;
    await service.listen();
    await untilRefused(verifier, await accessToken({ sid: late }));
    expect(await outcome(verifier, await accessToken({ sid: early }))).toMatchObject({
      code: 'session_revoked',
    });
    await untilState(verifier, 'live');
  });
});
