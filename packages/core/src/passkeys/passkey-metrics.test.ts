import { expect, it } from 'vitest';
import { PASSKEY_OPERATIONS, PasskeyMetrics, passkeyMetricsView } from './passkey-metrics.js';

it('every operation is listed from the start, with counts of zero', () => {
  const { operations } = new PasskeyMetrics().read();
  expect(Object.keys(operations)).toEqual([...PASSKEY_OPERATIONS]);
  for (const counts of Object.values(operations)) {
    expect(counts).toEqual({ success: 0, failure: 0, statuses: {} });
  }
});

it('outcomes and statuses are counted by operation', () => {
  const metrics = new PasskeyMetrics();
  metrics.record('loginVerify', { status: 200, succeeded: true });
  metrics.record('loginVerify', { status: 401, succeeded: false });
  metrics.record('loginVerify', { status: 401, succeeded: false });
  const { operations } = metrics.read();
  expect(operations.loginVerify).toEqual({ success: 1, failure: 2, statuses: { '200': 1, '401': 2 } });
  expect(operations.list.statuses).toEqual({});
  expect(passkeyMetricsView.parse({ operations })).toEqual({ operations });
});

it('counts that were read do not change afterwards', () => {
  const metrics = new PasskeyMetrics();
  const before = metrics.read();
  metrics.record('list', { status: 200, succeeded: true });
  expect(before.operations.list.success).toBe(0);
});
