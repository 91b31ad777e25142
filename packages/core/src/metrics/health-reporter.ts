import type { Backlog } from '../mail/outbox-repository.js';
import { version } from '../version.js';
import type { HealthReport } from './health-report-schema.js';
import { ScrapeFactsReader } from './scrape-facts.js';
import type { MeasuredParts } from './service-gauges.js';

type HealthReporterDeps = Pick<MeasuredParts, 'database' | 'hasher' | 'health' | 'outbox' | 'revocations'> & {
  readonly facts: HealthReport['facts'];
};

/** Reports the state of this process to operators: what its metrics count, and how its dependencies answer. */
export class HealthReporter {
  readonly #deps: HealthReporterDeps;
  readonly #counts: ScrapeFactsReader;

  constructor(deps: HealthReporterDeps) {
    this.#deps = deps;
    this.#counts = new ScrapeFactsReader({ ...deps, webhooks: undefined, deletions: undefined });
  }

  /** Returns the state of this process. A dependency that does not answer is reported within a second. */
  async read(): Promise<HealthReport> {
    const { health, facts } = this.#deps;
    const [dependencies, { backlog }] = await Promise.all([health.report(), this.#counts.read()]);
    const isFailing = dependencies.some(({ status, isRequired }) => isRequired && status === 'failed');
    const uptime = process.uptime();
    return {
      status: isFailing || health.isStopping ? 'not_ready' : 'ready',
      version,
      nodeVersion: process.version,
      startedAt: new Date(Date.now() - uptime * 1000).toISOString(),
      uptimeSeconds: Math.floor(uptime),
      dependencies,
      mail: backlog ? mailOf(backlog) : null,
      ...this.#load(),
      facts,
    };
  }

  #load(): Pick<HealthReport, 'revocationFeed' | 'hashing' | 'databasePool'> {
    const { database, hasher, revocations } = this.#deps;
    const { listeners, lagSeconds } = revocations.counts;
    const { lent: inUse, free: idle, waiting, max } = database.connections;
    return {
      revocationFeed: { listeners, lagSeconds: Math.max(lagSeconds, 0) },
      hashing: {
        threads: hasher.maxThreads,
        active: hasher.activeCount,
        queued: hasher.queueDepth,
      },
      databasePool: { inUse, idle, waiting, max },
    };
  }
}

const mailOf = ({ waiting, retrying, failed, oldestPending }: Backlog): HealthReport['mail'] => ({
  waiting,
  retrying,
  failed,
  oldestPendingSeconds: oldestPending,
});
