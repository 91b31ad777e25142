import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../kernel/clock.js';
import { ValueSigner } from '../kernel/signed-value.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { Ceremonies } from './ceremonies.js';

const STARTER = { userId: 'the user', sessionId: 'the session' };
const ceremoniesOver = (store: MemoryEphemeralStore, key = randomBytes(32)): Ceremonies =>
  new Ceremonies(store, new ValueSigner([key], systemClock));

afterEach(() => void vi.useRealTimers());

describe('a ceremony', () => {
  it('a ceremony is found by its challenge, once', async () => {
    const ceremonies = ceremoniesOver(new MemoryEphemeralStore({ clock: systemClock }));
    await ceremonies.begin('registration', 'abc', STARTER);
    await ceremonies.begin('login', 'def', null);
    expect(await ceremonies.take('registration', 'abc')).toEqual(STARTER);
    expect(await ceremonies.take('login', 'def')).toBeNull();
    expect(await ceremonies.take('registration', 'abc')).toBeUndefined();
    expect(await ceremonies.take('login', 'def')).toBeUndefined();
  });

  it('a ceremony of another purpose is not found, and not spent by the attempt', async () => {
    const ceremonies = ceremoniesOver(new MemoryEphemeralStore({ clock: systemClock }));
    await ceremonies.begin('registration', 'abc', STARTER);
    expect(await ceremonies.take('login', 'abc')).toBeUndefined();
    expect(await ceremonies.take('registration', 'abc')).toEqual(STARTER);
  });

  it('a ceremony that another key has signed is not accepted', async () => {
    const store = new MemoryEphemeralStore({ clock: systemClock });
    await ceremoniesOver(store).begin('login', 'abc', null);
    expect(await ceremoniesOver(store).take('login', 'abc')).toBeUndefined();
  });

  it('a ceremony lasts five minutes', async () => {
    vi.useFakeTimers();
    const ceremonies = ceremoniesOver(new MemoryEphemeralStore({ clock: systemClock }));
    await ceremonies.begin('login', 'abc', null);
    await ceremonies.begin('login', 'def', null);
    vi.advanceTimersByTime(299_000);
    expect(await ceremonies.take('login', 'abc')).toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(await ceremonies.take('login', 'def')).toBeUndefined();
  });
});
