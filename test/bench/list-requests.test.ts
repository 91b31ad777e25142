import { expect, it } from 'vitest';
import type { Population } from '../../bench/support/population/population.js';
import { listRequests } from '../../bench/support/scale/list-requests.js';

const ID = '01a2118d-8532-7f7f-8957-0f97bfb74deb';
const population = {
  users: 1_000,
  userId: ID,
  sessionId: ID,
  largeCompanyId: ID,
  largeUnitId: ID,
} as Population;

it('every filter of every list has a value for the benchmark of growing populations', () => {
  const requests = listRequests(population, { machineKey: 'key', staffToken: 'token' });
  const filters = requests.filter(({ kind }) => kind === 'filtered').map(({ label }) => label);
  expect(filters).toContain('/internal/audit-logs?actedByUserId={id}');
  expect(requests.every(({ path }) => !/[{}]/.test(path))).toBe(true);
});
