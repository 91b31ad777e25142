import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  webhookMessages as messages,
  webhookMessages as webhooks,
} from '../../../messages/en/console/webhooks.js';
import type { WebhookRequests } from '../../webhooks/webhook-requests.js';
import { agoText, numberText } from '../format.js';
import { ChoiceFilter, Filters, useChoice } from '../parts/filters.js';
import { Pill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { confirmed } from '../perform.js';
import type { Webhook, WebhookDelivery } from '../types.js';
import { defined, keyOf, useQuery, type Query } from '../use-query.js';

const retryDelivery = (
  webhooks: WebhookRequests,
  { id }: Webhook,
  delivery: WebhookDelivery,
): Promise<boolean> =>
  confirmed(
    { title: messages.retryTitle, text: messages.retryText, confirm: messages.retry },
    () => webhooks.retry(id, delivery.id),
    messages.retried,
  );

const DELIVERY_TONES = { PENDING: 'warn', SENT: 'good', DEAD: 'bad', SKIPPED: 'calm' } as const;

const DeliveryPill = ({ status }: Pick<WebhookDelivery, 'status'>): JSX.Element => (
  <Pill tone={DELIVERY_TONES[status]} text={webhooks.statuses[status]} />
);

const PAGE_SIZE = 25;

/** The deliveries of a webhook, newest first. They are loaded again when the webhook changes, as after a test. */
export function Deliveries({
  webhook,
  requests,
}: {
  webhook: Webhook;
  requests: WebhookRequests;
}): JSX.Element {
  const { page, earlier, showOlder } = useDeliveries(webhook, requests);
  const columns = columnsOf((delivery) => {
    void retryDelivery(requests, webhook, delivery).then((isDone) => {
      if (isDone) page.reload();
    });
  }, webhook.isActive);
  return (
    <section>
      <h2 class="list-title">{messages.deliveries}</h2>
      <Filters names={['status']}>
        <ChoiceFilter name="status" label={messages.status} options={messages.statuses} />
      </Filters>
      <Loaded query={page}>
        {(items) =>
          items.length + earlier.length === 0 ? (
            <Empty title={messages.noDeliveries} hint={messages.noDeliveriesHint} icon="webhooks" />
          ) : (
            <Records
              label={messages.deliveries}
              kind="deliveries"
              items={page.isLoading ? earlier : [...earlier, ...items]}
              columns={columns}
            />
          )
        }
      </Loaded>
      {showOlder && (
        <button type="button" class="button secondary older" onClick={showOlder}>
          {messages.older}
        </button>
      )}
    </section>
  );
}

interface DeliveryPages {
  page: Query<WebhookDelivery[]>;
  /** The deliveries of the pages before. */
  earlier: readonly WebhookDelivery[];
  showOlder: (() => void) | undefined;
}

function useDeliveries(webhook: Webhook, requests: WebhookRequests): DeliveryPages {
  const status = useChoice('status', messages.statuses);
  const [cursor, setCursor] = useState<string>();
  const [earlier, setEarlier] = useState<readonly WebhookDelivery[]>([]);
  const [next, setNext] = useState<string>();
  useEffect(() => {
    setCursor(undefined);
    setEarlier([]);
  }, [webhook, status]);
  const page = useQuery(keyOf(webhook, status, cursor), async (signal) => {
    const query = defined({ status, cursor, limit: PAGE_SIZE });
    const outcome = await requests.deliveries(webhook.id, query, signal);
    if (outcome.ok) setNext(outcome.response.headers.get('x-next-cursor') ?? undefined);
    return outcome;
  });
  const showOlder = (): void => {
    setEarlier([...earlier, ...(page.data ?? [])]);
    setCursor(next);
  };
  return { page, earlier, showOlder: next === undefined || page.isLoading ? undefined : showOlder };
}

const columnsOf = (
  retry: (delivery: WebhookDelivery) => void,
  isActive: boolean,
): Column<WebhookDelivery>[] => [
  {
    heading: messages.deliveryColumns.event,
    cell: ({ event, id }) => (
      <span class="stacked">
        <span class="record-name" tabIndex={-1} data-main="">
          {event}
        </span>
        <span class="quiet code">{id}</span>
      </span>
    ),
  },
  {
    heading: messages.deliveryColumns.status,
    cell: ({ status }) => <DeliveryPill status={status} />,
  },
  {
    heading: messages.deliveryColumns.attempts,
    cell: ({ attempts }) => numberText(attempts),
    isMinor: true,
  },
  { heading: messages.deliveryColumns.result, cell: (delivery) => resultText(delivery) },
  {
    heading: messages.deliveryColumns.time,
    cell: ({ createdAt, nextAttemptAt }) => (
      <span class="stacked">
        <Ago at={createdAt} />
        {nextAttemptAt !== null && <span class="quiet">{messages.next(agoText(nextAttemptAt))}</span>}
      </span>
    ),
  },
  {
    heading: '',
    cell: (delivery) =>
      isActive && (
        <button
          type="button"
          class="button secondary small"
          aria-label={messages.retryLabel(delivery.event)}
          onClick={() => retry(delivery)}
        >
          {messages.retry}
        </button>
      ),
  },
];

/** Returns the status of the last response, or the kind of failure without one. */
function resultText({ lastStatus, lastError }: WebhookDelivery): string {
  if (lastStatus !== null) return `${messages.status} ${lastStatus}`;
  return lastError === null ? '–' : messages.errors[lastError];
}
