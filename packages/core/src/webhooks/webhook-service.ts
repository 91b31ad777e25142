import { actorOf, lockOperator, type Administrator } from '../admin/administrator.js';
import type { StaffStepUp } from '../admin/staff-step-up.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { ValueCipher } from '../encryption/value-cipher.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Clock } from '../kernel/clock.js';
import type { CursorPage } from '../kernel/cursor-page.js';
import { newId } from '../kernel/id.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { cursorInput, type CursorInput } from '../kernel/page-input.js';
import { checkId } from '../kernel/uuid-input.js';
import { fieldError } from '../kernel/validation-error.js';
import { assertMayManageCompany } from '../memberships/company-authority.js';
import { lockedEditor } from '../memberships/locked-editor.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { Outbound } from '../outbound/outbound.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  assertActive,
  assertOfCompany,
  assertReceiver,
  checkOwner,
  cursorOf,
  idOfCursor,
  limitReached,
  notFound,
  replayRange,
  testsWait,
} from './webhook-checks.js';
import type { WebhookDeliveryRepository } from './webhook-delivery-repository.js';
import { deliveryOf } from './webhook-dispatcher.js';
import type { WebhookEndpointRepository } from './webhook-endpoint-repository.js';
import {
  MAX_COMPANY_ENDPOINTS,
  MAX_PLATFORM_ENDPOINTS,
  placeOfSecret,
  type WebhookEndpoint,
} from './webhook-endpoint.js';
import { TEST_TYPE, testMessage, typeOf, wants, WEBHOOK_SOURCES } from './webhook-event.js';
import {
  replayWebhookInput,
  rotateWebhookSecretInput,
  toWebhookView,
  webhookDeliveryFilter,
  webhookInput,
  webhookPatchInput,
  type ReplayWebhookInput,
  type RotateWebhookSecretInput,
  type WebhookDeliveryView,
  type WebhookInput,
  type WebhookPatchInput,
  type WebhookView,
  type WebhookWithSecret,
} from './webhook-schema.js';
import { generateWebhookSecret } from './webhook-signature.js';

interface WebhookServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly webhookEndpoints: WebhookEndpointRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
  readonly staffStepUp: StaffStepUp;
  readonly outbound: Outbound;
  /** Undefined while webhooks are off. */
  readonly webhookCipher: ValueCipher | undefined;
  /** The public address of the service, which is no receiver. */
  readonly ownUrl: string;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

/** Whose endpoints are managed, and the administrator who does so. */
export interface WebhookOwner {
  administrator: Administrator;
  /** Null: those of the platform. */
  companyId: string | null;
  client?: ClientInfo;
}

const MOST_REPLAYED = 10_000;
const MOST_WAITING_TESTS = 10;

const deliverySlice = cursorInput().extend(webhookDeliveryFilter.shape);

/** Manages the receivers of messages, and what is sent to them. */
export class WebhookService {
  readonly #deps: WebhookServiceDeps;

  constructor(deps: WebhookServiceDeps) {
    this.#deps = deps;
  }

  /** Returns the endpoints of the owner, oldest first. */
  async list({ companyId }: { companyId: string | null }): Promise<WebhookView[]> {
    return (await this.#deps.webhookEndpoints.list(checkOwner(companyId))).map(toWebhookView);
  }

  /**
   * Creates an endpoint, which receives what is committed after it.
   * @returns it with its secret, which is not shown again.
   * @throws AuthError `validation_error`, also for an address that is not allowed; `forbidden`, `reauthentication_required`;
   * `conflict` for an owner who has as many as allowed.
   * @param keys those of `ENCRYPTION_KEYS`; defaults to those of the settings, which commands do not read.
   */
  async create(
    owner: WebhookOwner,
    input: WebhookInput,
    keys?: readonly Buffer[],
  ): Promise<WebhookWithSecret> {
    const wanted = checkInput(webhookInput, input);
    await this.#assertFit(owner, wanted);
    const id = newId();
    const { bytes, text: secret } = generateWebhookSecret();
    const companyId = checkOwner(owner.companyId);
    const { administrator } = owner;
    const cipher = keys ? new ValueCipher(keys) : this.#cipher;
    return this.#deps.database.transaction(async (trx) => {
      await this.#authorize(owner, trx);
      const endpoint = await this.#deps.webhookEndpoints.insert(
        {
          ...{ id, companyId, url: wanted.url, events: wanted.events },
          description: wanted.description ?? '',
          secret: cipher.encrypt(bytes, placeOfSecret('secret', id)),
          createdByUserId: administrator.kind === 'user' ? administrator.userId : undefined,
        },
        companyId === null ? MAX_PLATFORM_ENDPOINTS : MAX_COMPANY_ENDPOINTS,
        trx,
      );
      if (!endpoint) throw limitReached(companyId);
      await this.#record('webhook_created', owner, { webhookId: id, events: endpoint.events }, trx);
      return { webhook: toWebhookView(endpoint), secret };
    });
  }

  /**
   * Changes an endpoint. One that was disabled because of failures begins anew with `isActive: true`.
   * @throws AuthError as `create`, and `not_found`.
   */
  async update(owner: WebhookOwner, webhookId: string, input: WebhookPatchInput): Promise<WebhookView> {
    const patch = checkInput(webhookPatchInput, input);
    await this.#assertFit(owner, patch);
    return this.#change(owner, webhookId, async (endpoint, trx) => {
      const changed = await this.#deps.webhookEndpoints.update(
        {
          ...endpoint,
          url: patch.url ?? endpoint.url,
          events: patch.events ?? endpoint.events,
          description: patch.description ?? endpoint.description,
          isActive: patch.isActive ?? endpoint.isActive,
        },
        trx,
      );
      const details = { webhookId: endpoint.id, fields: Object.keys(patch) };
      await this.#record('webhook_updated', owner, details, trx);
      return toWebhookView(changed ?? endpoint);
    });
  }

  /** Removes an endpoint with its deliveries. @throws AuthError `not_found`, `forbidden`, `reauthentication_required` */
  async remove(owner: WebhookOwner, webhookId: string): Promise<StatusOk> {
    return this.#change(owner, webhookId, async ({ id }, trx) => {
      await this.#deps.webhookEndpoints.remove(id, trx);
      await this.#record('webhook_removed', owner, { webhookId: id }, trx);
      return { status: 'ok' } as const;
    });
  }

  /**
   * Replaces the secret. Messages are signed with both until the overlap ends.
   * @returns the endpoint with the new secret, which is not shown again.
   * @throws AuthError `validation_error`, `not_found`, `forbidden`, `reauthentication_required`
   */
  async rotateSecret(
    owner: WebhookOwner,
    webhookId: string,
    input: RotateWebhookSecretInput = {},
  ): Promise<WebhookWithSecret> {
    const { overlap } = checkInput(rotateWebhookSecretInput, input);
    const { bytes, text: secret } = generateWebhookSecret();
    return this.#change(owner, webhookId, async (endpoint, trx) => {
      const { id } = endpoint;
      const rotated = await this.#deps.webhookEndpoints.rotate(
        id,
        {
          secret: this.#cipher.encrypt(bytes, placeOfSecret('secret', id)),
          formerSecret: overlap === 0 ? undefined : await this.#asFormer(id, trx),
        },
        overlap,
        trx,
      );
      await this.#record('webhook_secret_rotated', owner, { webhookId: id }, trx);
      return { webhook: toWebhookView(rotated ?? endpoint), secret };
    });
  }

  /**
   * Queues a message of the type `webhook.test`.
   * @throws AuthError `not_found`, `forbidden`, `reauthentication_required`; `conflict` for an endpoint that is not active;
   * `rate_limited` while 10 tests of the endpoint wait.
   */
  async test(owner: WebhookOwner, webhookId: string): Promise<WebhookDeliveryView> {
    const deliveryId = newId();
    await this.#change(owner, webhookId, async (endpoint, trx) => {
      assertActive(endpoint);
      const payload = testMessage(new Date(this.#deps.clock.now()));
      const message = { id: deliveryId, endpoint_id: endpoint.id, event: TEST_TYPE, payload };
      if (!(await this.#deps.webhookDeliveries.insertTest(message, MOST_WAITING_TESTS, trx)))
        throw testsWait(MOST_WAITING_TESTS);
    });
    return this.#delivery(deliveryId, checkId(webhookId));
  }

  /** Returns the deliveries of an endpoint, newest first. @throws AuthError `validation_error`, `not_found` */
  async deliveries(
    { companyId }: { companyId: string | null },
    webhookId: string,
    slice: CursorInput & { status?: WebhookDeliveryView['status'] | undefined } = {},
  ): Promise<CursorPage<WebhookDeliveryView>> {
    const id = checkId(webhookId);
    const { limit, cursor, status } = checkInput(deliverySlice, slice, 'query');
    const endpoint = await this.#deps.webhookEndpoints.find(id);
    if (endpoint?.companyId !== checkOwner(companyId)) throw notFound();
    const before = cursor === undefined ? undefined : idOfCursor(cursor);
    const found = await this.#deps.webhookDeliveries.list(id, status, before, limit + 1);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: found.length > limit && last ? cursorOf(last.id) : undefined };
  }

  /**
   * Sends a delivery again, whatever became of it.
   * @throws AuthError `not_found`, `forbidden`, `reauthentication_required`; `conflict` for an endpoint that is not active.
   */
  async retry(owner: WebhookOwner, webhookId: string, deliveryId: string): Promise<WebhookDeliveryView> {
    const id = checkId(deliveryId, 'deliveryId');
    await this.#change(owner, webhookId, async (endpoint, trx) => {
      assertActive(endpoint);
      const isKnown = await this.#deps.webhookDeliveries.retry(id, endpoint.id, trx);
      if (!isKnown) throw AuthError.notFound('The delivery', 'webhook_delivery_not_found');
      await this.#record('webhook_retried', owner, { webhookId: endpoint.id, deliveryId: id }, trx);
    });
    return this.#delivery(id, checkId(webhookId));
  }

  /**
   * Sends what the audit log has of a time, of the types that the endpoint wants. Deliveries keep their ids.
   * @throws AuthError `validation_error` for more than 30 days or 10,000 messages; else as `retry`.
   */
  async replay(
    owner: WebhookOwner,
    webhookId: string,
    input: ReplayWebhookInput,
  ): Promise<{ queued: number }> {
    const { from, to } = replayRange(checkInput(replayWebhookInput, input), this.#deps.clock.now());
    return this.#change(owner, webhookId, async (endpoint, trx) => {
      assertActive(endpoint);
      const range = { from, to, events: WEBHOOK_SOURCES, companyId: endpoint.companyId };
      const entries = await this.#deps.webhookDeliveries.replayable(range, MOST_REPLAYED + 1, trx);
      if (entries.length > MOST_REPLAYED) {
        throw fieldError('from', 'too_long', 'the time has more than 10,000 entries; replay it in parts');
      }
      const deliveries = entries.flatMap((entry) => {
        const type = typeOf(entry);
        const isWanted = type !== undefined && wants(endpoint, type, entry.companyId);
        return isWanted ? [deliveryOf(endpoint.id, type, entry)] : [];
      });
      const queued = await this.#deps.webhookDeliveries.replayAll(deliveries, trx);
      const details = { webhookId: endpoint.id, from, to, queued };
      await this.#record('webhook_replayed', owner, details, trx);
      return { queued };
    });
  }

  get #cipher(): ValueCipher {
    const { webhookCipher } = this.#deps;
    if (webhookCipher) return webhookCipher;
    throw AuthError.conflict('Webhooks are off. Set WEBHOOKS and ENCRYPTION_KEYS.', 'webhooks_off');
  }

  /** Checks what no transaction may wait for: the address is resolved. */
  async #assertFit(
    { companyId }: WebhookOwner,
    { url, events }: { url?: string | undefined; events?: readonly string[] | undefined },
  ): Promise<void> {
    if (companyId !== null && events) assertOfCompany(events);
    if (url !== undefined) await assertReceiver(url, this.#deps);
  }

  /** Locks the rows that decide about the administrator, and decides. */
  async #authorize({ administrator, companyId, client = unknownClient }: WebhookOwner, trx: Transaction) {
    if (administrator.kind !== 'user') {
      assertHoldsScope(administrator, 'webhooks:write');
      return;
    }
    if (companyId === null) {
      this.#deps.staffStepUp.assertRecent(administrator);
      await lockOperator(this.#deps.users, administrator, trx);
      return;
    }
    const { userId } = administrator;
    assertNotActing(client, administrator);
    const users = await this.#deps.users.lock([userId], trx);
    const memberships = await this.#deps.membershipWrites.lock(companyId, [userId], trx);
    assertMayManageCompany(lockedEditor(userId, { users, memberships }));
  }

  /** Runs a change of one endpoint of the owner, with its row locked. */
  async #change<Result>(
    owner: WebhookOwner,
    webhookId: string,
    change: (endpoint: WebhookEndpoint, trx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const id = checkId(webhookId);
    const companyId = checkOwner(owner.companyId);
    return this.#deps.database.transaction(async (trx) => {
      await this.#authorize({ ...owner, companyId }, trx);
      const endpoint = await this.#deps.webhookEndpoints.lock(id, trx);
      if (endpoint?.companyId !== companyId) throw notFound();
      return change(endpoint, trx);
    });
  }

  /** Returns the current secret, encrypted for the column of the former one. */
  async #asFormer(id: string, trx: Transaction) {
    const current = await this.#deps.webhookEndpoints.secretsOf(id, trx);
    if (!current) return undefined;
    const plain = this.#cipher.decrypt(current.secret, placeOfSecret('secret', id));
    return this.#cipher.encrypt(plain, placeOfSecret('former_secret', id));
  }

  async #delivery(id: string, webhookId: string): Promise<WebhookDeliveryView> {
    const delivery = await this.#deps.webhookDeliveries.find(id, webhookId);
    if (!delivery) throw AuthError.notFound('The delivery', 'webhook_delivery_not_found');
    return delivery;
  }

  async #record(
    event: AuditEventName,
    { administrator, companyId, client = unknownClient }: WebhookOwner,
    details: Record<string, unknown>,
    trx: Transaction,
  ): Promise<void> {
    const actor = actorOf(administrator);
    await this.#deps.audit.insert(
      { event, outcome: 'success', actor, companyId: companyId ?? undefined, client, details },
      trx,
    );
  }
}
