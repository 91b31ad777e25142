import { expect, it } from 'vitest';
import { outagesOf, recoveryMs } from '../../tools/cluster/chaos/probe.js';

const probe = (sentAt: number, isAcknowledged: boolean) => ({
  sentAt,
  answeredAt: sentAt + 5,
  isAcknowledged,
});

it('an outage lasts from the first failed write to the next acknowledged one', () => {
  const results = [probe(0, true), probe(10, false), probe(20, false), probe(30, true), probe(40, false)];
  expect(outagesOf(results)).toEqual([
    { startMs: 10, endMs: 35 },
    { startMs: 40, endMs: Infinity },
  ]);
});

it('the recovery from a fault is measured from its start, and is 0 if no write failed', () => {
  const outages = [{ startMs: 10_000, endMs: 12_000 }];
  expect(recoveryMs({ startMs: 9_000, endMs: 11_000 }, outages)).toBe(3_000);
  expect(recoveryMs({ startMs: 20_000, endMs: 22_000 }, outages)).toBe(0);
  expect(recoveryMs({ startMs: 1_000, endMs: 2_000 }, outages)).toBe(0);
});
