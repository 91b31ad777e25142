import { newId } from '../kernel/id.js';
import type { Logger } from '../kernel/logger.js';
import type { Database, Transaction } from '../storage/database.js';
import type { NewDelivery, WebhookDeliveryRepository } from './webhook-delivery-repository.js';
import type { WebhookEndpointRepository } from './webhook-endpoint-repository.js';
import { messageOf, typeOf, wants, type SourceEntry } from './webhook-event.js';

const INTERVAL_MS = 1_000;
/** Entries of one transaction. */
const BATCH = 500;

/**
 * Follows the audit log in the order of commits, and queues a delivery for each endpoint that wants an entry. Deliveries and cursor
 * are written in one transaction, and only one replica at a time has the cursor: what is committed is queued exactly once, and what
 * was rolled back never.
 */
export class WebhookDispatcher {
  readonly #deps;
  readonly #onQueued: () => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #hasFailed = false;

  /** @param onQueued is called when deliveries are committed. */
  constructor(
    deps: {
      readonly database: Database;
      readonly webhookEndpoints: WebhookEndpointRepository;
      readonly webhookDeliveries: WebhookDeliveryRepository;
      readonly logger: Logger;
    },
    onQueued: () => void,
  ) {
    this.#deps = deps;
    this.#onQueued = onQueued;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#try());
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Resolves when a running transaction has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Queues everything that can be, in short transactions. @throws AuthError `service_unavailable` */
  async catchUp(): Promise<void> {
    if (await this.#deps.webhookDeliveries.isIdle()) return;
    while (!this.#isStopped) {
      const { entries, queued } = await this.#deps.database.transaction((trx) => this.#dispatch(trx));
      if (queued > 0) this.#onQueued();
      if (entries < BATCH) return;
    }
  }

  async #dispatch(trx: Transaction): Promise<{ entries: number; queued: number }> {
    const { webhookDeliveries, webhookEndpoints } = this.#deps;
    const nothing = { entries: 0, queued: 0 };
    if (!(await webhookDeliveries.lockCursor(trx))) return nothing;
    if (await webhookDeliveries.beginAnew(trx)) await webhookEndpoints.forgetSnapshots(trx);
    if (await webhookDeliveries.skipAll(trx)) return nothing;
    const entries = await webhookDeliveries.nextEntries(BATCH, trx);
    const last = entries.at(-1);
    if (!last) return nothing;
    const deliveries = await this.#deliveriesOf(entries, trx);
    const queued = deliveries.length > 0 ? await webhookDeliveries.insertAll(deliveries, trx) : 0;
    await webhookDeliveries.moveCursor(last, entries.length < BATCH, trx);
    return { entries: entries.length, queued };
  }

  async #deliveriesOf(
    entries: readonly (SourceEntry & { transactionId: string })[],
    trx: Transaction,
  ): Promise<NewDelivery[]> {
    const companyIds = [...new Set(entries.flatMap(({ companyId }) => companyId ?? []))];
    const endpoints = await this.#deps.webhookEndpoints.wanting(companyIds, trx);
    return entries.flatMap((entry) => {
      const type = typeOf(entry);
      if (type === undefined) return [];
      return endpoints
        .filter((endpoint) => wants(endpoint, type, entry.companyId))
        .map(({ id: endpointId }) => deliveryOf(endpointId, type, entry));
    });
  }

  async #try(): Promise<void> {
    try {
      await this.catchUp();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed)
        this.#deps.logger.warn({ err: error }, 'The audit log cannot be followed for webhooks; trying on.');
      this.#hasFailed = true;
    }
  }
}

/** Returns the delivery of an entry to an endpoint. */
export const deliveryOf = (
  endpointId: string,
  type: Parameters<typeof messageOf>[0],
  entry: SourceEntry & { transactionId?: string },
): NewDelivery => ({
  id: newId(),
  endpoint_id: endpointId,
  audit_id: entry.id,
  event: type,
  payload: messageOf(type, entry),
  transaction_id: entry.transactionId ?? null,
});
