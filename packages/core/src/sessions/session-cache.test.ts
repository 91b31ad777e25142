import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuthError } from '../kernel/auth-error.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { hintKey, markerKey, RevocationMarkers } from './revocation-markers.js';
import { SessionCache, type SessionHint } from './session-cache.js';

const KEY = Buffer.alloc(32, 'k');
const HINT: SessionHint = { userId: 'user', globalRole: 'NONE', tokenVersion: 3 };

let store: MemoryEphemeralStore;
let cache: SessionCache;
let markers: RevocationMarkers;
beforeEach(() => {
  store = new MemoryEphemeralStore({ clock: systemClock });
  cache = new SessionCache(store, { ttl: 60, key: KEY, clock: systemClock });
  markers = new RevocationMarkers(store, { enabled: true, ttl: 60, logger: silentLogger });
});

it('a hint is returned for its session only', async () => {
  await cache.remember('session', HINT);
  expect(await cache.find('session')).toEqual(HINT);
  expect(await cache.find('other')).toBeUndefined();
});

it('a hint expires', async () => {
  const shortLived = new SessionCache(store, { ttl: 0.05, key: KEY, clock: systemClock });
  await shortLived.remember('session', HINT);
  await sleep(60);
  expect(await shortLived.find('session')).toBeUndefined();
});

it('a lifetime of 0 stores no hints', async () => {
  const off = new SessionCache(store, { ttl: 0, key: KEY, clock: systemClock });
  await off.remember('session', HINT);
  expect(store.size).toBe(0);
  await cache.remember('session', HINT);
  expect(await off.find('session')).toBeUndefined();
});

describe('a hint cannot be forged', () => {
  const signed = async (): Promise<string> => {
    await cache.remember('session', HINT);
    return (await store.get(hintKey('session'))) ?? '';
  };

  it.each([
    ['a higher role', (hint: string) => hint.replace('NONE', 'PLATFORM_SUPERADMIN')],
    ['a later end', (hint: string) => hint.replace(/"expiresAt":\d/, '"expiresAt":9')],
    ['no signature', (hint: string) => hint.slice(hint.indexOf('.') + 1)],
    ['an empty signature', (hint: string) => hint.slice(hint.indexOf('.'))],
    ['half a signature', (hint: string) => hint.slice(20)],
    ['nothing at all', () => ''],
  ])('a hint with %s is not accepted', async (_what, forge) => {
    await store.set(hintKey('session'), forge(await signed()), 60);
    expect(await cache.find('session')).toBeUndefined();
  });

  it('a hint that was moved to another session is not accepted', async () => {
    await store.set(hintKey('other'), await signed(), 60);
    expect(await cache.find('other')).toBeUndefined();
  });

  it('a hint with the signature of another key is not accepted', async () => {
    await new SessionCache(store, { ttl: 60, key: Buffer.alloc(32, 'x'), clock: systemClock }).remember(
      'session',
      HINT,
    );
    expect(await cache.find('session')).toBeUndefined();
  });
});

describe('an ended session', () => {
  it('a revoked session has no hint any more', async () => {
    await cache.remember('session', HINT);
    await markers.mark(['session']);
    expect(await cache.find('session')).toBeUndefined();
    expect(await store.get(hintKey('session'))).toBeUndefined();
  });

  it('a late hint does not revive a revoked session', async () => {
    await markers.mark(['session']);
    await cache.remember('session', HINT);
    expect(await cache.find('session')).toBeUndefined();
  });

  it('many revoked sessions are marked together', async () => {
    const ids = Array.from({ length: 1_200 }, (_, n) => `session ${n}`);
    for (const id of ids) await cache.remember(id, HINT);
    await markers.mark(ids);
    const found = await Promise.all(ids.map((id) => cache.find(id)));
    expect(found.filter((hint) => hint !== undefined)).toEqual([]);
  });
});

describe('hints that are looked up in one turn of the event loop', () => {
  /** A store that counts its reads. */
  const countingReads = () => {
    const reads: number[] = [];
    const counting = new MemoryEphemeralStore({ clock: systemClock });
    const getMany = counting.getMany.bind(counting);
    Object.assign(counting, {
      getMany: (keys: readonly string[]) => {
        reads.push(keys.length);
        return getMany(keys);
      },
    });
    const counted = new SessionCache(counting, { ttl: 60, key: KEY, clock: systemClock });
    return { counted, counting, reads };
  };

  it('hints and markers of many sessions are found by one read', async () => {
    const { counted, counting, reads } = countingReads();
    for (const id of ['a', 'b', 'c']) await counted.remember(id, { ...HINT, userId: `user of ${id}` });
    await counting.set(markerKey('b'), '1', 60);
    const found = await Promise.all(['a', 'b', 'c', 'd', 'a'].map((id) => counted.find(id)));
    expect(found.map((hint) => hint?.userId)).toEqual([
      'user of a',
      undefined,
      'user of c',
      undefined,
      'user of a',
    ]);
    expect(reads).toEqual([8]);
  });

  it('a look-up sees a revocation that was marked after an earlier read was sent', async () => {
    const { counted, counting, reads } = countingReads();
    await counted.remember('session', HINT);
    const earlier = counted.find('session');
    while (reads.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await new RevocationMarkers(counting, { enabled: true, ttl: 60, logger: silentLogger }).mark(['session']);
    expect(await counted.find('session')).toBeUndefined();
    expect(await earlier).toEqual(HINT);
    expect(reads).toEqual([2, 2]);
  });
});

it('an unavailable store yields no hints and no errors', async () => {
  const away = Object.assign(new MemoryEphemeralStore({ clock: systemClock }), {
    getMany: () => Promise.reject(AuthError.unavailable('away')),
    set: () => Promise.reject(AuthError.unavailable('away')),
    delete: () => Promise.reject(AuthError.unavailable('away')),
  });
  const blind = new SessionCache(away, { ttl: 60, key: KEY, clock: systemClock });
  await blind.remember('session', HINT);
  expect(await blind.find('session')).toBeUndefined();
  await new RevocationMarkers(away, { enabled: true, ttl: 60, logger: silentLogger }).mark(['session']);
});
