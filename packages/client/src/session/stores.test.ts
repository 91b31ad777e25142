import { afterEach, describe, expect, it, vi } from 'vitest';
import { localStorageStore } from './stores.js';

const SESSION = { id: 'a', refreshAt: 1, accessToken: 'eyJ', refreshToken: 'lkr_' };

/** A storage of a browser, which may be full. */
function plantStorage(isFull = false): Map<string, string> {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull && value !== '') throw new Error('QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key: string) => items.delete(key),
  });
  return items;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the store in localStorage', () => {
  it('keeps the session under its name, for other tabs, until it is cleared', async () => {
    const items = plantStorage();
    const store = localStorageStore('latchkey.session:x');
    await store.write(SESSION);
    expect(JSON.parse(items.get('latchkey.session:x') ?? '')).toEqual(SESSION);
    expect(localStorageStore('latchkey.session:x').read()).toEqual(SESSION);
    await store.clear();
    expect(items.size).toBe(0);
  });

  it('reads the latest session from localStorage where IndexedDB is missing', async () => {
    plantStorage();
    const store = localStorageStore('x');
    await store.write(SESSION);
    expect(await store.readLatest?.()).toEqual(SESSION);
  });

  it('keeps renewed tokens for this tab when the storage is full', async () => {
    plantStorage(true);
    const store = localStorageStore('x');
    await store.write(SESSION);
    expect(store.read()).toEqual(SESSION);
    expect(await store.readLatest?.()).toEqual(SESSION);
  });

  it.each(['', 'null', '{', '[]', '{"id":1}'])('treats %j under its name as no session', (text) => {
    plantStorage().set('x', text);
    expect(localStorageStore('x').read()).toBeUndefined();
  });

  it('is in memory where the browser blocks storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    const store = localStorageStore('x');
    await store.write(SESSION);
    expect(store.read()).toEqual(SESSION);
    expect(store.name).toBeUndefined();
  });
});
