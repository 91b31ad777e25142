import { expect, it } from 'vitest';
import {
  CHAOS_HELP,
  CLUSTER_HELP,
  readChaosOptions,
  readClusterOptions,
} from '../../tools/cluster/cluster-options.js';
import { fillTemplate } from '../../tools/cluster/template.js';
import { UsageError } from '../../tools/shared/usage-error.js';

it('a run of chaos takes ten minutes and a random seed by default', () => {
  expect(readChaosOptions([], 42)).toEqual({
    minutes: 10,
    quietSeconds: 5,
    users: 10,
    seed: 42,
    keepLogs: undefined,
  });
  expect(readChaosOptions(['--minutes', '1', '--seed', '7', '--quiet-seconds', '0'], 42)).toMatchObject({
    minutes: 1,
    seed: 7,
    quietSeconds: 0,
  });
});

it('an option that is unknown or out of range is reported by its name', () => {
  expect(() => readChaosOptions(['--minutes', 'ten'], 1)).toThrow(UsageError);
  expect(() => readChaosOptions(['--minutes', 'ten'], 1)).toThrow(/--minutes: ten is not a number from/);
  expect(() => readClusterOptions(['--ports'])).toThrow(/--ports.*--help/);
});

it('the help is returned instead of options', () => {
  expect(readClusterOptions(['--help'])).toBe(CLUSTER_HELP);
  expect(readClusterOptions([])).toBeUndefined();
  expect(readChaosOptions(['-h'], 1)).toBe(CHAOS_HELP);
});

it('a template is filled in, and a value that is missing is reported by its name', () => {
  expect(fillTemplate('port ${PORT} of ${NAME}', { PORT: 1, NAME: 'x' })).toBe('port 1 of x');
  expect(() => fillTemplate('port ${PORT}', {})).toThrow(/PORT/);
});
