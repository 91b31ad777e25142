import { expect, it } from 'vitest';
import { planFaults, type FaultSource } from '../../tools/cluster/chaos/fault-plan.js';

const sources: FaultSource[] = [
  { part: 'redis-1', kinds: ['kill', 'pause'], longestMs: 12_000 },
  { part: 'latchkey-1', kinds: ['kill', 'pause'], longestMs: 6_000 },
  { part: 'network of redis-1', kinds: ['cut', 'silent'], longestMs: 30_000 },
];
const plan = (seed: number, quietMs = 5_000) => planFaults({ seed, totalMs: 600_000, quietMs, sources });

it('the same seed plans the same faults, another seed plans others', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(8)).not.toEqual(plan(7));
});

it('every kind of fault is planned, and only for parts that it can hit', () => {
  const faults = plan(1);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(['kill', 'pause', 'cut', 'silent']));
  for (const { part, kind } of faults) {
    expect(sources.find((source) => source.part === part)?.kinds).toContain(kind);
  }
});

it('every fault ends within the run and lasts no longer than its part allows', () => {
  for (const { part, startMs, endMs } of plan(2)) {
    expect(endMs).toBeLessThanOrEqual(600_000);
    expect(endMs - startMs).toBeGreaterThanOrEqual(1_999);
    expect(endMs - startMs).toBeLessThanOrEqual(
      sources.find((source) => source.part === part)!.longestMs + 1,
    );
  }
});

it('at most two faults happen at a time, and then to different parts', () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => plan(seed));
  const together = seeds.flatMap((faults) =>
    faults.map(({ startMs }) => faults.filter((other) => other.startMs <= startMs && startMs < other.endMs)),
  );
  expect(Math.max(...together.map((faults) => faults.length))).toBe(2);
  for (const faults of together) {
    expect(new Set(faults.map(({ part }) => part)).size).toBe(faults.length);
  }
});

it('the quiet time passes between faults that are not a pair', () => {
  const faults = plan(3, 9_000).sort((a, b) => a.startMs - b.startMs);
  let lastEnd = 0;
  for (const { startMs, endMs } of faults) {
    if (startMs > lastEnd) expect(startMs - lastEnd).toBeGreaterThanOrEqual(8_999);
    lastEnd = Math.max(lastEnd, endMs);
  }
});
