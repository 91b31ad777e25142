import type { WebhookDeliveryView, WebhookView } from '@latchkey/core';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';

const stateOf = ({ isActive, disabledReason, failingSince }: WebhookView): string => {
  if (!isActive) return disabledReason === null ? 'inactive' : `disabled (${disabledReason})`;
  return failingSince === null ? 'active' : 'failing';
};

export const WEBHOOK_LIST: ListFormat<WebhookView> = {
  noun: 'webhooks',
  columns: [
    { title: 'URL', text: ({ url }) => url, whenNarrow: 'shrink', least: 20 },
    {
      title: 'STATE',
      text: stateOf,
      style: (webhook) => (stateOf(webhook) === 'active' ? undefined : 'red'),
    },
    { title: 'EVENTS', text: ({ events }) => events.join(','), whenNarrow: 'shrink', least: 14 },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: ['id', 'url', 'events', 'isActive', 'disabledReason', 'failingSince'],
  id: ({ id }) => id,
};

export const DELIVERY_LIST: ListFormat<WebhookDeliveryView> = {
  noun: 'deliveries',
  columns: [
    { title: 'EVENT', text: ({ event }) => event, whenNarrow: 'shrink', least: 14 },
    {
      title: 'STATUS',
      text: ({ status }) => status,
      style: ({ status }) => (status === 'DEAD' ? 'red' : undefined),
    },
    { title: 'TRIES', text: ({ attempts }) => String(attempts), whenNarrow: 'drop' },
    { title: 'LAST', text: ({ lastStatus, lastError }) => String(lastStatus ?? lastError ?? '') },
    { title: 'QUEUED', text: ({ createdAt }) => relativeTime(createdAt), whenNarrow: 'drop' },
    { title: 'NEXT', text: ({ nextAttemptAt }) => relativeTime(nextAttemptAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: [
    'id',
    'event',
    'auditId',
    'status',
    'attempts',
    'nextAttemptAt',
    'lastStatus',
    'lastError',
    'createdAt',
    'endedAt',
  ],
  id: ({ id }) => id,
};
