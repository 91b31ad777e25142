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
  ping: (() => Promise<void>) | undefined;
  required: boolean;
}

/** Whether this process can do its work now. */
export class HealthService {
  readonly #checks: readonly Check[];
  #stopping = false;

  constructor(parts: {
    database: Database;
    store: EphemeralStore;
    finance: Database | undefined;
    requireRedis: boolean;
  }) {
    const { database, store, finance } = parts;
    this.#checks = [
      { name: 'database', ping: () => database.ping(PING_TIMEOUT_MILLISECONDS), required: true },
      {
        name: 'redis',
        ping: store.kind === 'redis' ? () => store.ping(PING_TIMEOUT_MILLISECONDS) : undefined,
        required: parts.requireRedis,
      },
      {
        name: 'finance',
        ping: finance && (() => finance.ping(PING_TIMEOUT_MILLISECONDS)),
        required: true,
      },
    ];
  }

  /** From now on `ready` fails, so that load balancers look elsewhere before the process stops. */
  stop(): void {
    this.#stopping = true;
  }

  /** Whether each dependency that is configured answers now, needed for readiness or not. */
  async dependencies(): Promise<{ name: DependencyName; isUp: boolean }[]> {
    const configured = this.#checks.filter(({ ping }) => ping !== undefined);
    return Promise.all(
      configured.map(async (check) => {
        const { failed } = await runCheck({ ...check, required: true });
        return { name: check.name, isUp: !failed };
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
    const failed = results.filter((result) => result.failed).map((result) => result.name);
    if (failed.length > 0) {
      throw new AuthError('not_ready', `Not reachable: ${failed.join(', ')}.`, { retryAfterSeconds: 1 });
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

async function runCheck({ name, ping, required }: Check): Promise<{ name: string; failed: boolean }> {
  try {
    await ping?.();
    return { name, failed: false };
  } catch {
    return { name, failed: required };
  }
}
