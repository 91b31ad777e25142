import type { JSX } from 'preact';
import { webhookMessages as messages } from '../../../messages/en/console/webhooks.js';
import { webhooksOf } from '../../webhooks/webhook-requests.js';
import { dateText, numberText } from '../format.js';
import { CompanyName } from '../parts/company-name.js';
import { Icon } from '../parts/icons.js';
import { View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { WebhookPill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { hrefOf, usePlace } from '../router.js';
import type { Webhook } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';
import { createWebhook } from '../webhook-actions.js';

/** The webhooks of the platform, or of the company in the address. */
export function WebhooksView(): JSX.Element {
  const companyId = usePlace().query.get('company') ?? undefined;
  const requests = webhooksOf(companyId);
  const webhooks = useQuery(keyOf(companyId), requests.list);
  const create = (): void =>
    void createWebhook(requests, companyId !== undefined).then((isDone) => {
      if (isDone) webhooks.reload();
    });
  return (
    <>
      {companyId !== undefined && (
        <p class="crumb">
          <Link href={hrefOf(`companies/${companyId}`)}>
            <Icon name="back" /> <CompanyName id={companyId} />
          </Link>
        </p>
      )}
      <View
        title={messages.title}
        lead={companyId === undefined ? messages.lead : messages.leadOfCompany}
        actions={
          <button type="button" class="button primary" onClick={create}>
            <Icon name="plus" /> {messages.create}
          </button>
        }
      >
        <Loaded query={webhooks}>
          {(items) =>
            items.length === 0 ? (
              <Empty title={messages.empty} hint={messages.emptyHint} icon="webhooks" />
            ) : (
              <Records label={messages.title} kind="webhooks" items={items} columns={COLUMNS} />
            )
          }
        </Loaded>
      </View>
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    heading: messages.columns.receiver,
    cell: ({ id, companyId, url, description }) => (
      <span class="who-text">
        <Link href={hrefOf(`webhooks/${id}`, { company: companyId ?? undefined })} isMain class="who-name">
          {url}
        </Link>
        {description !== '' && <span class="quiet">{description}</span>}
      </span>
    ),
  },
  { heading: messages.columns.events, cell: ({ events }) => eventsText(events) },
  { heading: messages.columns.state, cell: (webhook) => <WebhookPill webhook={webhook} /> },
  { heading: messages.columns.since, cell: ({ createdAt }) => dateText(createdAt), isMinor: true },
];

function eventsText(events: readonly string[]): string {
  if (events.includes('*')) return messages.allEvents;
  const [first = '', ...others] = events;
  return others.length === 0 ? first : `${first} +${numberText(others.length)}`;
}
