import { describe, expect, test } from 'vitest';
import type { Group } from '../../bench/support/group.js';
import { parseMachineCpu } from '../../bench/support/machine-cpu.js';
import { findNoise } from '../../bench/support/noise.js';
import { countedRounds, runGroup } from '../../bench/support/run-group.js';
import type { Round, Sample } from '../../bench/support/sample.js';

const round = (baseline: number, more: Partial<Sample> = {}): Round => ({
  ours: { count: 1, perSecond: 50, ...more },
  baseline: { count: 1, perSecond: baseline },
});

describe('findNoise', () => {
  test('marks the round in which the baseline deviates by more than a quarter from its median', () => {
    const noise = findNoise([round(100), round(74), round(102), round(126), round(99)], 'baseline');
    expect(noise).toEqual([[], ['baseline -26 %'], [], ['baseline +26 %'], []]);
  });

  test('marks rounds in which other processes or the host took the processor', () => {
    const noise = findNoise(
      [round(100, { otherCpu: 0.3 }), round(100, { stolenCpu: 0.12 }), round(100, { otherCpu: 0.02 })],
      'baseline',
    );
    expect(noise).toEqual([['other processes 30 %'], ['stolen 12 %'], []]);
  });

  test('marks nothing where the system reports no CPU times and the baseline is steady', () => {
    expect(findNoise([round(100), round(101)], 'baseline')).toEqual([[], []]);
  });
});

describe('runGroup', () => {
  const order: string[] = [];
  const groupWith = (speeds: number[]): Group => ({
    name: 'example',
    title: 'Example',
    baseline: 'baseline',
    warmUpSeconds: 0,
    comparisons: [],
    contestants: ['ours', 'baseline'].map((name) => ({
      name,
      run: () => {
        order.push(name);
        const perSecond = name === 'ours' ? 50 : (speeds.shift() ?? 100);
        return Promise.resolve({ count: 1, perSecond });
      },
    })),
  });

  test('swaps the order of the contestants every other round', async () => {
    order.length = 0;
    await runGroup(groupWith([]), { rounds: 3, seconds: 1 }, () => undefined);
    expect(order).toEqual(['ours', 'baseline', 'baseline', 'ours', 'ours', 'baseline']);
  });

  test('repeats a noisy round and leaves it out', async () => {
    const result = await runGroup(groupWith([100, 100, 40]), { rounds: 4, seconds: 1 }, () => undefined);
    expect(result.rounds).toHaveLength(5);
    expect(countedRounds(result)).toHaveLength(4);
  });

  test('gives up repeating after half as many rounds again, and then counts all of them', async () => {
    const result = await runGroup(
      groupWith([10, 200, 30, 400, 50, 600]),
      { rounds: 4, seconds: 1 },
      () => undefined,
    );
    expect(result.rounds).toHaveLength(6);
    expect(countedRounds(result)).toHaveLength(6);
  });
});

test('the CPU of the machine is read without idle time and interrupts', () => {
  const text = 'cpu  1000 200 300 9000 10 7 8 50 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n';
  expect(parseMachineCpu(text)).toEqual({ processes: 15, stolen: 0.5 });
});
