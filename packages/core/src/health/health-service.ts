import { AuthError } from '../kernel/auth-error.js';
import { isDatabaseRefusal } from '../storage/database-error.js';
import type { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { isRedisRefusal } from '../storage/redis-refusal.js';

type CheckResult = 'ok' | 'not_configured';

/** Result of `/ready`, with the status of each dependency. */
export interface Readiness {
  status: 'ready';
  checks: { database: CheckResult; redis: CheckResult; finance: CheckResult };
}

/** Maximum duration of a ping. */
const PING_TIMEOUT_MS = 1_000;

export type DependencyName = keyof Readiness['checks'];

/** The result of one check, with its duration. */
interface DependencyReport {
  name: DependencyName;
  status: 'ok' | 'failed' | 'not_configured';
  /** True if the service is not ready without it. */
  isRequired: boolean;
  /** What is wrong; null unless it failed. */
  fault: Fault | null;
  /** Milliseconds until the answer; null unless it is configured. */
  latencyMs: number | null;
}

/** The faults of a dependency. */
export const DEPENDENCY_FAULTS = ['not reachable', 'refused', 'read-only'] as const;
export const DEPENDENCY_NAMES = ['database', 'redis', 'finance'] as const;

interface Check {
  name: DependencyName;
  /** Resolves with the fault of a reachable dependency, or undefined. Rejects if it is not reachable. */
  ping: (() => Promise<Fault | undefined>) | undefined;
  required: boolean;
}

/** Fault of a required dependency. */
type Fault = (typeof DEPENDENCY_FAULTS)[number];

/** Reports whether this process is ready to serve requests. */
export class HealthService {
  readonly #checks: readonly Check[];
  #stopping = false;

  constructor(deps: {
    readonly database: Database;
    readonly store: EphemeralStore;
    readonly finance: Database | undefined;
    readonly requireRedis: boolean;
  }) {
    const { database, store, finance } = deps;
    this.#checks = [
      { name: 'database', ping: () => checkWritable(database), required: true },
      {
        name: 'redis',
        ping: store.kind === 'redis' ? () => checkReachable(store.ping(PING_TIMEOUT_MS)) : undefined,
        required: deps.requireRedis,
      },
      {
        name: 'finance',
        // Only read, so a read-only database is sufficient.
        ping: finance && (() => checkReachable(finance.ping(PING_TIMEOUT_MS))),
        required: true,
      },
    ];
  }

  /** Makes `ready` fail, so that load balancers use other replicas before the process stops. */
  stop(): void {
    this.#stopping = true;
  }

  /** Returns the availability of each configured dependency, whether required or not. */
  async dependencies(): Promise<{ name: DependencyName; isUp: boolean }[]> {
    const configured = this.#checks.filter(({ ping }) => ping !== undefined);
    return Promise.all(
      configured.map(async (check) => {
        const { fault } = await runCheck({ ...check, required: true });
        return { name: check.name, isUp: fault === undefined };
      }),
    );
  }

  /** Returns the result of every check, whether required or not, with its duration. */
  async report(): Promise<DependencyReport[]> {
    return Promise.all(this.#checks.map(reportOn));
  }

  /** True once `stop` was called. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Checks all dependencies. @throws AuthError `not_ready` with the failed ones. */
  async ready(): Promise<Readiness> {
    if (this.#stopping)
      throw new AuthError('not_ready', 'The service is stopping.', {
        reason: 'stopping',
        retryAfterSeconds: 5,
      });
    const results = await Promise.all(this.#checks.map((check) => runCheck(check)));
    if (results.some(({ fault }) => fault !== undefined)) {
      throw new AuthError('not_ready', messageOf(results), { retryAfterSeconds: 1 });
    }
    const [database, redis, finance] = this.#checks.map(({ ping }) => (ping ? 'ok' : 'not_configured'));
    return {
      status: 'ready',
      checks: {
        database: database ?? 'not_configured',
        redis: redis ?? 'not_configured',
        finance: finance ?? 'not_configured',
      },
    };
  }
}

interface Result {
  name: DependencyName;
  fault: Fault | undefined;
}

async function runCheck({ name, ping, required }: Check): Promise<Result> {
  try {
    const fault = await ping?.();
    return { name, fault: required ? fault : undefined };
  } catch (error) {
    return { name, fault: required ? faultOf(error) : undefined };
  }
}

/** A dependency that refuses the account was reached: a wrong password, or a right that is missing. */
const faultOf = (error: unknown): Fault =>
  isRedisRefusal(error) || isDatabaseRefusal(error) ? 'refused' : 'not reachable';

async function reportOn(check: Check): Promise<DependencyReport> {
  const { name, ping, required: isRequired } = check;
  if (!ping) return { name, status: 'not_configured', isRequired, fault: null, latencyMs: null };
  const begun = performance.now();
  const { fault = null } = await runCheck({ ...check, required: true });
  const latencyMs = Math.round((performance.now() - begun) * 10) / 10;
  return { name, status: fault === null ? 'ok' : 'failed', isRequired, fault, latencyMs };
}

/** Detects a standby or a demoted primary, which serves reads but rejects every sign-in. */
async function checkWritable(database: Database): Promise<Fault | undefined> {
  const { isReadOnly } = await database.ping(PING_TIMEOUT_MS);
  return isReadOnly ? 'read-only' : undefined;
}

async function checkReachable(ping: Promise<unknown>): Promise<undefined> {
  await ping;
}

const MESSAGES: Record<Fault, string> = {
  'not reachable': 'Not reachable',
  refused: 'Refuses the account',
  'read-only': 'Read-only',
};

/** Returns a message such as `Not reachable: redis. Read-only: database.` */
function messageOf(results: readonly Result[]): string {
  const sentences = Object.entries(MESSAGES).map(([fault, label]) => {
    const names = results.filter((result) => result.fault === fault).map(({ name }) => name);
    return names.length > 0 ? `${label}: ${names.join(', ')}.` : '';
  });
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
