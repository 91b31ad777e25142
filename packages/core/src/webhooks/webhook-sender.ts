import type { AuditRepository } from '../audit/audit-repository.js';
import { DeliveryWorker, type DeliveryQueue, type DeliveryResult } from '../deliveries/delivery-worker.js';
import type { ValueCipher } from '../encryption/value-cipher.js';
import { unknownClient } from '../kernel/client-info.js';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { WEBHOOK_OUTCOMES, type Observer, type WebhookOutcome } from '../kernel/observer.js';
import type { Outbox } from '../mail/outbox.js';
import { OutboundError } from '../outbound/outbound-error.js';
import type { Outbound } from '../outbound/outbound.js';
import type { Database, Transaction } from '../storage/database.js';
import { delayAfter, retryAfterOf } from './delivery-schedule.js';
import type {
  AttemptResult,
  ClaimedDelivery,
  WebhookDeliveryRepository,
} from './webhook-delivery-repository.js';
import type { WebhookEndpointRepository } from './webhook-endpoint-repository.js';
import { placeOfSecret, type EndpointSecrets, type WebhookEndpoint } from './webhook-endpoint.js';
import { signatureOf } from './webhook-signature.js';

interface WebhookSenderDeps {
  readonly database: Database;
  readonly webhookEndpoints: WebhookEndpointRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
  readonly outbound: Outbound;
  readonly cipher: ValueCipher;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly observer: Observer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Longer than the time of one request, with its wait for a slot. */
const LEASE_SECONDS = 60;
/** Deliveries of this process that are sent at the same time. */
const CONCURRENCY = 16;
const GONE = 410;

/** Sends queued messages, at least once. Any number of processes may run it on one database. */
export class WebhookSender extends DeliveryWorker<ClaimedDelivery, Attempted> {
  constructor(deps: WebhookSenderDeps) {
    super(new WebhookQueue(deps), { logger: deps.logger, pollMs: 1_000, concurrency: CONCURRENCY });
  }
}

/** The response to an attempt, beside its result. */
type Attempted = DeliveryResult & { readonly response: Pick<AttemptResult, 'lastStatus' | 'lastError'> };

class WebhookQueue implements DeliveryQueue<ClaimedDelivery, Attempted> {
  readonly name = 'queue of webhooks';
  readonly #deps: WebhookSenderDeps;

  constructor(deps: WebhookSenderDeps) {
    this.#deps = deps;
  }

  claim(): Promise<ClaimedDelivery | undefined> {
    return this.#deps.webhookDeliveries.claim(LEASE_SECONDS);
  }

  async attempt(delivery: ClaimedDelivery): Promise<Attempted> {
    const endpoint = await this.#deps.webhookEndpoints.secretsOf(delivery.endpointId);
    if (!endpoint?.isActive) return { status: 'skipped', response: NOTHING };
    const keys = this.#readableKeys(delivery.endpointId, endpoint);
    if (!keys)
      return { status: 'retry', reason: 'key missing', inSeconds: KEY_MISSING_SECONDS, response: NOTHING };
    const { status, retryAfter, lastError } = await this.#send(delivery, endpoint.url, keys);
    const response = { lastStatus: status ?? null, lastError: lastError ?? null };
    if (lastError === undefined) return { status: 'sent', response };
    const inSeconds = delayAfter(delivery.attempts, Math.random(), retryAfter);
    return inSeconds === undefined || status === GONE
      ? { status: 'dead', reason: lastError, response }
      : { status: 'retry', reason: lastError, inSeconds, response };
  }

  async record(delivery: ClaimedDelivery, result: Attempted): Promise<void> {
    if (result.status === 'sent' || result.status === 'skipped') await this.#recordEnd(delivery, result);
    else await this.#recordFailure(delivery, result);
  }

  async #recordEnd(delivery: ClaimedDelivery, { status, response }: Attempted): Promise<void> {
    const { webhookDeliveries, webhookEndpoints, logger } = this.#deps;
    const isSent = status === 'sent';
    await webhookDeliveries.finish(delivery, { status: isSent ? 'SENT' : 'SKIPPED', ...response });
    if (isSent) await webhookEndpoints.noteSuccess(delivery.endpointId);
    logger.debug(detailsOf(delivery), `webhook ${status}`);
  }

  /** The endpoint is locked before its delivery, as by administrators. */
  async #recordFailure(
    delivery: ClaimedDelivery,
    result: Extract<Attempted, { status: 'dead' | 'retry' }>,
  ): Promise<void> {
    const { webhookDeliveries, database, logger } = this.#deps;
    const { response, reason } = result;
    const inSeconds = result.status === 'retry' ? result.inSeconds : undefined;
    await database.transaction(async (trx) => {
      if (response.lastError !== null)
        await this.#noteFailure(delivery.endpointId, response.lastStatus === GONE, trx);
      const outcome = { status: inSeconds === undefined ? 'DEAD' : 'PENDING', ...response } as const;
      await webhookDeliveries.finish(
        delivery,
        { ...outcome, ...(inSeconds !== undefined && { inSeconds }) },
        trx,
      );
    });
    const details = { ...detailsOf(delivery), reason };
    if (inSeconds === undefined) logger.error(details, 'webhook given up');
    else logger.warn({ ...details, retryInSeconds: inSeconds }, 'webhook could not be delivered yet');
  }

  async #send(
    { id, payload: body }: ClaimedDelivery,
    url: string,
    keys: readonly Buffer[],
  ): Promise<{ status?: number; retryAfter?: number; lastError?: AttemptResult['lastError'] & string }> {
    const { outbound, clock, observer } = this.#deps;
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, keys),
    };
    try {
      const response = await outbound.request({ url, purpose: 'webhook', body, headers });
      const { status } = response;
      observer.webhookAttempt(classOf(status));
      if (status >= 200 && status < 300) return { status };
      return {
        status,
        lastError: 'status',
        retryAfter: retryAfterOf(response.headers['retry-after'], clock.now()),
      };
    } catch (error) {
      const lastError = errorOf(error);
      observer.webhookAttempt(lastError);
      return { lastError };
    }
  }

  #readableKeys(endpointId: string, secrets: EndpointSecrets): Buffer[] | undefined {
    try {
      return this.#keysOf(endpointId, secrets);
    } catch (error) {
      this.#deps.logger.error({ err: error, endpointId }, 'The secret of a webhook cannot be decrypted.');
      return undefined;
    }
  }

  /** Returns the keys that sign now. @throws AuthError `service_unavailable` if a key of encryption is missing. */
  #keysOf(endpointId: string, { secret, formerSecret }: EndpointSecrets): Buffer[] {
    const { cipher } = this.#deps;
    const current = cipher.decrypt(secret, placeOfSecret('secret', endpointId));
    if (!formerSecret) return [current];
    return [current, cipher.decrypt(formerSecret, placeOfSecret('former_secret', endpointId))];
  }

  /** Records a failure at the endpoint. One that is disabled by it is recorded and reported by mail. */
  async #noteFailure(endpointId: string, isGone: boolean, trx: Transaction): Promise<void> {
    const { webhookEndpoints, audit, outbox } = this.#deps;
    const disabled = await webhookEndpoints.noteFailure(endpointId, isGone, trx);
    if (!disabled) return;
    const { endpoint, createdByUserId } = disabled;
    const { id: webhookId, companyId, disabledReason: reason } = endpoint;
    await audit.insert(
      {
        event: 'webhook_disabled',
        outcome: 'success',
        actor: { kind: 'machine', name: 'webhooks' },
        companyId: companyId ?? undefined,
        client: unknownClient,
        details: { webhookId, reason },
      },
      trx,
    );
    for (const { email, fullName } of await webhookEndpoints.recipients(createdByUserId, companyId, trx)) {
      const payload = { fullName, host: hostOf(endpoint), isGone };
      await outbox.enqueue(trx, { kind: 'webhook_disabled', recipient: email, payload });
    }
  }
}

const detailsOf = ({ id: deliveryId, endpointId, event, attempts }: ClaimedDelivery) => ({
  deliveryId,
  endpointId,
  event,
  attempts,
});

const NOTHING = { lastStatus: null, lastError: null } as const;
/** Seconds after which a message is tried again whose secret cannot be read: an operator has to add the key. */
const KEY_MISSING_SECONDS = 300;

const classOf = (status: number): WebhookOutcome =>
  WEBHOOK_OUTCOMES.find((outcome) => outcome === `${Math.floor(status / 100)}xx`) ?? '5xx';

const hostOf = ({ url }: WebhookEndpoint): string => new URL(url).hostname;

/** The kinds that are kept and shown. More would let the user who chose the address explore a network through us. */
function errorOf(error: unknown): 'refused' | 'timeout' | 'tls' {
  if (!(error instanceof OutboundError)) throw error;
  return error.failure === 'timeout' || error.failure === 'tls' ? error.failure : 'refused';
}
