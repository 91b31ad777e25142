import { AuthError } from '../kernel/auth-error.js';
import type { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';

export type CheckResult = 'ok' | 'not_configured';

/**
 * What `/ready` reports of each dependency.
 * @example
 * ```ts
 * const ready: Readiness = await kit.auth.health.ready();
 * ready.checks; // → { database: 'ok', redis: 'not_configured', finance: 'not_configured' }
 * ```
 */
export interface Readiness {
  status: 'ready';
  checks: { database: CheckResult; redis: CheckResult; finance: CheckResult };
}

/** A ping that takes longer counts as failed. */
const PING_TIMEOUT_MILLISECONDS = 1_000;

export type DependencyName = keyof Readiness['checks'];

interface Check {
  name: DependencyName;
  /** Resolves with what is wrong with a dependency that answers; undefined when nothing is. */
  ping: (() => Promise<Fault | undefined>) | undefined;
  required: boolean;
}

/** What is wrong with a dependency that is needed. */
type Fault = 'not reachable' | 'read-only';

interface HealthServiceDeps {
  readonly database: Database;
  readonly store: EphemeralStore;
  readonly finance: Database | undefined;
  readonly requireRedis: boolean;
}

/** Whether this process can do its work now. */
export class HealthService {
  readonly #checks: readonly Check[];
  #stopping = false;

  constructor(deps: HealthServiceDeps) {
    const { database, store, finance } = deps;
    this.#checks = [
      { name: 'database', ping: () => faultOfWritable(database), required: true },
      {
        name: 'redis',
        ping:
          store.kind === 'redis' ? () => faultOfReachable(store.ping(PING_TIMEOUT_MILLISECONDS)) : undefined,
        required: deps.requireRedis,
      },
      {
        name: 'finance',
        // Only ever read.
        ping: finance && (() => faultOfReachable(finance.ping(PING_TIMEOUT_MILLISECONDS))),
        required: true,
      },
    ];
  }

  /** From now on `ready` fails, so that load balancers look elsewhere before the process stops. */
  stop(): void {
    this.#stopping = true;
  }

  /** Reports whether each dependency that is configured can be used now, needed for readiness or not. */
  async dependencies(): Promise<{ name: DependencyName; isUp: boolean }[]> {
    const configured = this.#checks.filter(({ ping }) => ping !== undefined);
    return Promise.all(
      configured.map(async (check) => {
        const { fault } = await runCheck({ ...check, required: true });
        return { name: check.name, isUp: fault === undefined };
      }),
    );
  }

  /** @throws AuthError `not_ready`, naming what failed. */
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
  } catch {
    return { name, fault: required ? 'not reachable' : undefined };
  }
}

/** A standby or a demoted primary answers reads and refuses every sign-in. */
async function faultOfWritable(database: Database): Promise<Fault | undefined> {
  const { isReadOnly } = await database.ping(PING_TIMEOUT_MILLISECONDS);
  return isReadOnly ? 'read-only' : undefined;
}

async function faultOfReachable(answer: Promise<unknown>): Promise<undefined> {
  await answer;
}

const MESSAGES: Record<Fault, string> = { 'not reachable': 'Not reachable', 'read-only': 'Read-only' };

/** `Not reachable: redis. Read-only: database.` */
function messageOf(results: readonly Result[]): string {
  const sentences = Object.entries(MESSAGES).map(([fault, words]) => {
    const names = results.filter((result) => result.fault === fault).map(({ name }) => name);
    return names.length > 0 ? `${words}: ${names.join(', ')}.` : '';
  });
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
