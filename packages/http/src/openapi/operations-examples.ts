import { activityView, healthReport, outboxMailView, userFactors } from '@latchkey/core/schemas';
import { EMAIL, example, FACTOR_ID } from './example.js';

const [created, changed] = ['2026-11-20T13:09:18.235Z', '2026-11-21T08:30:00.000Z'];

/** Examples of the responses for administrators of the platform. */
export const OPERATIONS_EXAMPLES = [
  example(userFactors, {
    factors: [{ id: FACTOR_ID, kind: 'totp', name: 'Phone', createdAt: created, lastUsedAt: changed }],
    recoveryCodesLeft: 9,
    passkeys: 1,
    codesBlocked: false,
  }),
  example(activityView, {
    days: [{ day: '2026-01-31', signIns: 412, failedSignIns: 37, registrations: 9, signedInUsers: 298 }],
    countedAt: '2026-01-31T12:00:00.000Z',
    failingAddresses: [{ ipAddress: '203.0.113.11', failures: 8, lastAt: '2026-01-31T11:58:00.000Z' }],
    unusualFailures: null,
  }),
  example(outboxMailView, {
    id: '01a1f918-0000-7000-8000-000000000006',
    kind: 'password_reset',
    recipient: EMAIL,
    state: 'retrying',
    attempts: 2,
    createdAt: created,
    nextAttemptAt: changed,
    sentAt: null,
    lastError: '451 4.7.1 Please try again later',
  }),
  example(healthReport, {
    status: 'ready',
    version: '0.1.0',
    nodeVersion: 'v22.21.0',
    startedAt: created,
    uptimeSeconds: 69641,
    dependencies: [
      { name: 'database', status: 'ok', isRequired: true, fault: null, latencyMs: 0.8 },
      { name: 'redis', status: 'ok', isRequired: true, fault: null, latencyMs: 0.4 },
      { name: 'finance', status: 'not_configured', isRequired: true, fault: null, latencyMs: null },
    ],
    mail: { waiting: 2, retrying: 1, failed: 0, oldestPendingSeconds: 12.4 },
    revocationFeed: { listeners: 3, lagSeconds: 0.12 },
    hashing: { threads: 4, active: 1, queued: 0 },
    databasePool: { inUse: 1, idle: 3, waiting: 0, max: 10 },
    facts: {
      environment: 'production',
      signingKeyId: 'q0Hn1bYp3kq5w8n0tYxgkQ3J3rVQ5mJ0i2iW8p6b2mE',
      store: 'redis',
      mailTransport: 'smtp',
      entitlements: 'core service',
      secondFactor: 'optional',
      passkeys: true,
      registration: false,
      passwordEngine: 'argon2',
    },
  }),
];
