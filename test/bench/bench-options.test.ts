import { describe, expect, test } from 'vitest';
import { readBenchOptions, type BenchCommand } from '../../bench/support/bench-options.js';
import { UsageError } from '../../tools/shared/usage-error.js';

const command: BenchCommand = {
  script: 'bench',
  about: 'Measures.',
  groups: { me: 'reads', refresh: 'refreshes' },
  defaults: { rounds: 5, seconds: 3, connections: [1, 50] },
};
const read = (...args: string[]) => readBenchOptions(args, command);

describe('options of a benchmark', () => {
  test('default to those of the benchmark', () => {
    expect(read()).toEqual({ only: [], rounds: 5, seconds: 3, connections: [1, 50] });
  });

  test('are read from the command line', () => {
    const args = [
      '--only',
      'me',
      '--only=refresh',
      '--rounds',
      '2',
      '--connections',
      '4,200',
      '--json',
      'out.json',
    ];
    expect(read(...args)).toEqual({
      only: ['me', 'refresh'],
      rounds: 2,
      seconds: 3,
      connections: [4, 200],
      json: 'out.json',
    });
  });

  test.each([
    [['--round', '3'], /Unknown option '--round'.* Did you mean --rounds\?/],
    [['--only', 'refesh'], /no group refesh\. Did you mean refresh\? The groups are me, refresh\./],
    [['--rounds', 'many'], /--rounds: many is not a whole number from 1 to 100/],
    [['--connections', '1,0'], /--connections: 0 is not a whole number/],
    [['me'], /Unexpected argument 'me'/],
  ])('are refused with the fix: %s', (args, message) => {
    const refused = () => read(...args);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(message);
  });

  test('are all described by the help', () => {
    const help = read('--help');
    for (const name of ['--only', '--rounds', '--seconds', '--connections', '--json', 'me', 'refresh']) {
      expect(help).toContain(`  ${name}`);
    }
  });
});
