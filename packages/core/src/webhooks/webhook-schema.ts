import { z } from 'zod';
import { durationInput } from '../kernel/duration-input.js';
import { atLeastOneField } from '../kernel/patch-input.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { DISABLED_REASONS, type WebhookEndpoint } from './webhook-endpoint.js';
import { WEBHOOK_TYPES } from './webhook-event.js';

const timestamp = z.iso.datetime();
const DAY = 86_400;
const MAX_OVERLAP = 7 * DAY;

const url = z
  .string()
  .trim()
  .min(1, 'must be the https address of the receiver')
  .max(2_048, 'must have at most 2,048 characters')
  // The parser of URLs drops line breaks, so that another address than the one that is shown would be called.
  .refine((text) => !/\s/.test(text), 'must not contain spaces or line breaks; write %20 for a space')
  .describe('The https address of the receiver.');
const events = z
  .array(z.enum([...WEBHOOK_TYPES, '*']))
  .min(1, 'must name at least one type, or *')
  .max(WEBHOOK_TYPES.length + 1)
  .transform((types) => [...new Set(types)])
  .describe('The types of messages; `*` for all, also those of later versions.');
const description = z
  .string()
  .trim()
  .max(200, 'must have at most 200 characters')
  .describe('For administrators.');

/** Schema of a new endpoint. */
export const webhookInput = z.object({ url, events, description: description.optional() });
/** A new endpoint. */
export type WebhookInput = z.input<typeof webhookInput>;

/** Schema of a change of an endpoint. */
export const webhookPatchInput = atLeastOneField(
  z.object({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
    isActive: z
      .boolean()
      .optional()
      .describe('`true` also begins anew with an endpoint that was disabled because of failures.'),
  }),
);
/** A change of an endpoint; fields that are left out stay. */
export type WebhookPatchInput = z.input<typeof webhookPatchInput>;

/** Schema of a rotation of the secret. */
export const rotateWebhookSecretInput = z.object({
  overlap: durationInput({ from: 0, to: MAX_OVERLAP })
    .default(DAY)
    .describe(
      'Seconds for which the former secret signs, too, or a duration such as `24h`. Defaults to a day; at most seven.',
    ),
});
/** A rotation of the secret. */
export type RotateWebhookSecretInput = z.input<typeof rotateWebhookSecretInput>;

const instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z',
});

/** Schema of a replay. */
export const replayWebhookInput = z.object({
  from: instant.describe('The first instant, at most 30 days ago.'),
  to: instant.optional().describe('Before this instant. Defaults to now.'),
});
/** The time whose messages are sent again. */
export type ReplayWebhookInput = z.input<typeof replayWebhookInput>;

/** Schema of the result of a replay. */
export const replayedWebhook = z
  .object({ queued: z.int().describe('Number of deliveries that are sent, again or for the first time.') })
  .meta({ id: 'ReplayedWebhook' });

/** Schema of an endpoint, without its secret. */
export const webhookView = z
  .object({
    id: z.guid(),
    companyId: z.guid().nullable().describe('Null: events of the whole platform.'),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string(),
    isActive: z.boolean(),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe('`gone`: the receiver responded with 410; `failing`: five days without a success.'),
    failingSince: timestamp.nullable().describe('The first failure since the last success.'),
    formerSecretUntil: timestamp.nullable().describe('The former secret signs, too, until then.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' });
/** An endpoint that receives messages. */
export type WebhookView = z.output<typeof webhookView>;

/** Schema of an endpoint with its new secret, which is shown once. */
export const webhookWithSecret = z
  .object({
    webhook: webhookView,
    secret: z.string().describe('`whsec_` and base64. Shown once; receivers verify signatures with it.'),
  })
  .meta({ id: 'WebhookWithSecret' });
/** An endpoint with its new secret. */
export type WebhookWithSecret = z.output<typeof webhookWithSecret>;

export const DELIVERY_STATUSES = ['PENDING', 'SENT', 'DEAD', 'SKIPPED'] as const;
export const DELIVERY_ERRORS = ['refused', 'timeout', 'tls', 'status'] as const;

/** Schema of a filter of deliveries. */
export const webhookDeliveryFilter = z.object({
  status: z.enum(DELIVERY_STATUSES).optional().describe('Only deliveries with this status.'),
});

/** Schema of one message to one endpoint. */
export const webhookDeliveryView = z
  .object({
    id: z.guid().describe('The header `webhook-id`, the same in every attempt.'),
    event: z.string(),
    auditId: z.guid().nullable().describe('The entry of the audit log; null for a test.'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe('`PENDING`: waits or is retried; `DEAD`: given up; `SKIPPED`: not sent.'),
    attempts: z.int(),
    nextAttemptAt: timestamp.nullable(),
    lastStatus: z.int().nullable().describe('The HTTP status of the last response.'),
    lastError: z
      .enum(DELIVERY_ERRORS)
      .nullable()
      .describe(
        '`refused`: the address is not allowed or accepts no connection; `timeout`; `tls`: no valid certificate; `status`: not 2xx.',
      ),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
/** One message to one endpoint. */
export type WebhookDeliveryView = z.output<typeof webhookDeliveryView>;

/** Schema of the id in the path of one endpoint. */
export const webhookKeyInput = z.object({ id: uuidInput.describe('Id of the webhook.') });
/** Schema of the ids in the path of one delivery. */
export const webhookDeliveryKeyInput = webhookKeyInput.extend({
  deliveryId: uuidInput.describe('Id of the delivery.'),
});

const textOf = (time: Date | null): string | null => time?.toISOString() ?? null;

export const toWebhookView = ({ ...endpoint }: WebhookEndpoint): WebhookView => ({
  ...endpoint,
  failingSince: textOf(endpoint.failingSince),
  formerSecretUntil: textOf(endpoint.formerSecretUntil),
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.updatedAt.toISOString(),
});
