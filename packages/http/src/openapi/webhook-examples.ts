import { replayedWebhook, webhookDeliveryView, webhookView, webhookWithSecret } from '@latchkey/core/schemas';
import { example } from './example.js';

const webhook = {
  id: '01a1f915-0000-7000-8000-000000000001',
  companyId: null,
  url: 'https://hooks.example.com/latchkey',
  events: ['user.created', 'user.erased'],
  description: 'CRM',
  isActive: true,
  disabledReason: null,
  failingSince: null,
  formerSecretUntil: null,
  createdAt: '2026-11-20T13:09:18.235Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
};

/** Examples of the responses about webhooks. */
export const WEBHOOK_EXAMPLES = [
  example(webhookView, webhook),
  example(webhookWithSecret, { webhook, secret: 'whsec_C2FVsBQIhrscChlQ…' }),
  example(webhookDeliveryView, {
    id: '01a1f915-0000-7000-8000-000000000002',
    event: 'user.created',
    auditId: '01a1f915-0000-7000-8000-000000000003',
    status: 'PENDING',
    attempts: 2,
    nextAttemptAt: '2026-11-21T09:00:00.000Z',
    lastStatus: 503,
    lastError: 'status',
    createdAt: '2026-11-21T08:30:00.000Z',
    endedAt: null,
  }),
  example(replayedWebhook, { queued: 42 }),
];
