import { z } from 'zod';
import { DEPENDENCY_FAULTS, DEPENDENCY_NAMES } from '../health/health-service.js';
import { MAIL_TRANSPORTS } from '../mail/mailer.js';
import { SECOND_FACTOR_MODES } from '../settings/second-factor-mode.js';

const count = z.int().min(0);

const dependencyReport = z
  .object({
    name: z.enum(DEPENDENCY_NAMES),
    status: z.enum(['ok', 'failed', 'not_configured']),
    /** True if the service is not ready without it. */
    isRequired: z.boolean(),
    /** What is wrong; null unless it failed. */
    fault: z.enum(DEPENDENCY_FAULTS).nullable(),
    /** Milliseconds until the answer; null unless it is configured. */
    latencyMs: z.number().nullable(),
  })
  .meta({ id: 'DependencyReport' });

/** Settings and libraries of the process; nothing secret. */
const healthFacts = z
  .object({
    environment: z.enum(['development', 'test', 'production']),
    signingKeyId: z.string(),
    store: z.enum(['redis', 'memory']),
    mailTransport: z.enum(MAIL_TRANSPORTS),
    entitlements: z.enum(['function', 'core service', 'none']),
    secondFactor: z.enum(SECOND_FACTOR_MODES),
    passkeys: z.boolean(),
    registration: z.boolean(),
    passwordEngine: z.string(),
  })
  .meta({ id: 'HealthFacts' });

/** Schema of the state of one process, for operators. */
export const healthReport = z
  .object({
    /** `ready` as `/ready` answers; `not_ready` while a required dependency fails or the process stops. */
    status: z.enum(['ready', 'not_ready']),
    version: z.string(),
    nodeVersion: z.string(),
    startedAt: z.iso.datetime(),
    uptimeSeconds: count,
    dependencies: z.array(dependencyReport),
    /** Mails that have not been sent, by state; null while the database does not answer. */
    mail: z
      .object({
        waiting: count,
        retrying: count,
        failed: count,
        /** Age of the oldest mail that waits or is retried; 0 without one. */
        oldestPendingSeconds: z.number().min(0),
      })
      .nullable(),
    /** The feed of revocations: its listeners, and seconds since the database was last read for them. */
    revocationFeed: z.object({ listeners: count, lagSeconds: z.number().min(0) }),
    hashing: z.object({ threads: count, active: count, queued: count }),
    databasePool: z.object({ inUse: count, idle: count, waiting: count, max: count }),
    facts: healthFacts,
  })
  .meta({ id: 'HealthReport' });
/** The state of one process, for operators. */
export type HealthReport = z.output<typeof healthReport>;
