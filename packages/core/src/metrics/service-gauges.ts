import type { Registry } from 'prom-client';
import type { AccessService } from '../access/access-service.js';
import type { HealthService } from '../health/health-service.js';
import { BACKLOG_STATES, type OutboxRepository } from '../mail/outbox-repository.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { RevocationFeed } from '../revocations/revocation-feed.js';
import type { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { version } from '../version.js';
import { makeCounter, makeGauge, setTotal } from './instruments.js';
import { ScrapeFactsReader, type DeletionNumbers, type WebhookNumbers } from './scrape-facts.js';
import { scrapedDefinitions as definitions } from './service-definitions.js';

/** The parts that are read at each scrape. */
export interface MeasuredParts {
  database: Database;
  finance: Database | undefined;
  store: EphemeralStore;
  hasher: PasswordHasher;
  access: AccessService;
  health: HealthService;
  outbox: OutboxRepository;
  /** Undefined while webhooks are off. */
  webhooks: WebhookNumbers | undefined;
  /** Undefined while users cannot delete their accounts. */
  deletions: DeletionNumbers | undefined;
  revocations: RevocationFeed;
}

/** Adds the metrics that are read at each scrape to the registry. */
export function addServiceGauges(registry: Registry, parts: MeasuredParts): void {
  makeGauge(registry, definitions.buildInfo, (gauge) => gauge.set({ version }, 1));
  addHashing(registry, parts.hasher);
  addAccess(registry, parts.access);
  addPools(registry, parts);
  addStore(registry, parts.store);
  addRevocations(registry, parts.revocations);
  const reader = new ScrapeFactsReader(parts);
  addFacts(registry, reader);
  addWebhooks(registry, reader);
  addDeletions(registry, reader);
}

function addHashing(registry: Registry, hasher: PasswordHasher): void {
  makeGauge(registry, definitions.hashingQueued, (gauge) => gauge.set(hasher.queueDepth));
  makeGauge(registry, definitions.hashingActive, (gauge) => gauge.set(hasher.activeCount));
  makeGauge(registry, definitions.hashingThreads, (gauge) => gauge.set(hasher.maxThreads));
}

function addAccess(registry: Registry, access: AccessService): void {
  makeCounter(registry, definitions.shadowComparisons, (counter) => {
    const { compared, different } = access.shadowCounts;
    setTotal(counter, [
      { labels: { result: 'same' }, total: compared - different },
      { labels: { result: 'different' }, total: different },
    ]);
  });
}

function addPools(registry: Registry, { database, finance }: MeasuredParts): void {
  const pools = [['main', database] as const, ...(finance ? [['finance', finance] as const] : [])];
  makeGauge(registry, definitions.poolConnections, (gauge) => {
    for (const [pool, { connections }] of pools) {
      gauge.set({ pool, state: 'in_use' }, connections.lent);
      gauge.set({ pool, state: 'idle' }, connections.free);
    }
  });
  makeGauge(registry, definitions.poolWaiting, (gauge) => {
    for (const [pool, { connections }] of pools) gauge.set({ pool }, connections.waiting);
  });
  makeGauge(registry, definitions.poolMax, (gauge) => {
    for (const [pool, { connections }] of pools) gauge.set({ pool }, connections.max);
  });
}

function addStore(registry: Registry, store: EphemeralStore): void {
  makeGauge(registry, definitions.storeInfo, (gauge) => gauge.set({ kind: store.kind }, 1));
  makeGauge(registry, definitions.storeCircuit, (gauge) => gauge.set(store.isCircuitOpen ? 1 : 0));
}

function addRevocations(registry: Registry, feed: RevocationFeed): void {
  makeGauge(registry, definitions.feedListeners, (gauge) => gauge.set(feed.counts.listeners));
  makeGauge(registry, definitions.feedLag, (gauge) => gauge.set(feed.counts.lagSeconds));
  makeCounter(registry, definitions.feedEntries, (counter) => {
    setTotal(counter, [{ labels: {}, total: feed.counts.entries }]);
  });
  makeCounter(registry, definitions.feedPolls, (counter) => {
    const { success, failure } = feed.counts.polls;
    setTotal(counter, [
      { labels: { outcome: 'success' }, total: success },
      { labels: { outcome: 'failure' }, total: failure },
    ]);
  });
}

function addFacts(registry: Registry, reader: ScrapeFactsReader): void {
  makeGauge(registry, definitions.up, async (gauge) => {
    const { dependencies } = await reader.read();
    for (const { name, isUp } of dependencies) gauge.set({ dependency: name }, isUp ? 1 : 0);
  });
  makeGauge(registry, definitions.outbox, async (gauge) => {
    const { backlog } = await reader.read();
    gauge.reset();
    if (!backlog) return;
    for (const state of BACKLOG_STATES) gauge.set({ state }, backlog[state]);
  });
  makeGauge(registry, definitions.outboxAge, async (gauge) => {
    const { backlog } = await reader.read();
    if (backlog) gauge.set(backlog.oldestPending);
    else gauge.remove();
  });
}

function addWebhooks(registry: Registry, reader: ScrapeFactsReader): void {
  makeGauge(registry, definitions.webhookDeliveries, async (gauge) => {
    const { webhooks } = await reader.read();
    gauge.reset();
    if (!webhooks) return;
    for (const state of BACKLOG_STATES) gauge.set({ state }, webhooks.backlog[state]);
  });
  makeGauge(registry, definitions.webhookAge, async (gauge) => {
    const { webhooks } = await reader.read();
    if (webhooks) gauge.set(webhooks.backlog.oldestPending);
    else gauge.remove();
  });
  makeGauge(registry, definitions.webhookEndpoints, async (gauge) => {
    const { webhooks } = await reader.read();
    gauge.reset();
    if (!webhooks) return;
    for (const [state, count] of Object.entries(webhooks.endpoints)) gauge.set({ state }, count);
  });
}

function addDeletions(registry: Registry, reader: ScrapeFactsReader): void {
  makeGauge(registry, definitions.accountDeletions, async (gauge) => {
    const { deletions } = await reader.read();
    gauge.reset();
    if (!deletions) return;
    gauge.set({ state: 'pending' }, deletions.pending);
    gauge.set({ state: 'overdue' }, deletions.overdue);
  });
}
