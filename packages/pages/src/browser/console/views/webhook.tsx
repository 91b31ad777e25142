import type { JSX } from 'preact';
import { webhookMessages as messages } from '../../../messages/en/console/webhooks.js';
import { webhooksOf, type WebhookRequests } from '../../webhooks/webhook-requests.js';
import { dateText, momentText } from '../format.js';
import { CopyId } from '../parts/copy-id.js';
import { Icon } from '../parts/icons.js';
import { Facts, Panel, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { WebhookPill } from '../parts/pill.js';
import { Empty, Loaded } from '../parts/states.js';
import { go, hrefOf, usePlace } from '../router.js';
import type { Webhook } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';
import {
  disableWebhook,
  editWebhook,
  enableWebhook,
  removeWebhook,
  replayWebhook,
  rotateSecret,
  testWebhook,
} from '../webhook-actions.js';
import { Deliveries } from './webhook-deliveries.js';

/** One webhook: its state, what can be done with it, and its deliveries. */
export function WebhookView({ id }: { id: string }): JSX.Element {
  const companyId = usePlace().query.get('company') ?? undefined;
  const requests = webhooksOf(companyId);
  const listHref = hrefOf('webhooks', { company: companyId });
  const webhooks = useQuery(keyOf(companyId), requests.list);
  return (
    <>
      <p class="crumb">
        <Link href={listHref}>
          <Icon name="back" /> {messages.ofPlatform}
        </Link>
      </p>
      <Loaded query={webhooks} rows={8}>
        {(items) => {
          const webhook = items.find((each) => each.id === id);
          return webhook ? (
            <WebhookContent {...{ webhook, requests, listHref }} changed={webhooks.reload} />
          ) : (
            <View title={messages.title}>
              <Empty title={messages.empty} hint={messages.emptyHint} icon="webhooks" />
            </View>
          );
        }}
      </Loaded>
    </>
  );
}

interface WebhookContentProps {
  webhook: Webhook;
  requests: WebhookRequests;
  listHref: string;
  changed: () => void;
}

function WebhookContent({ webhook, requests, listHref, changed }: WebhookContentProps): JSX.Element {
  return (
    <View
      title={new URL(webhook.url).host}
      lead={<CopyId id={webhook.id} />}
      actions={<Actions {...{ webhook, requests, listHref, changed }} />}
    >
      <Notes webhook={webhook} />
      <Panel title={messages.columns.receiver}>
        <Facts
          facts={[
            [messages.url, <span class="code">{webhook.url}</span>],
            ...(webhook.description === '' ? [] : [[messages.description, webhook.description] as const]),
            [messages.columns.state, <WebhookPill webhook={webhook} />],
            [
              messages.columns.events,
              webhook.events.includes('*') ? messages.all : webhook.events.join(', '),
            ],
            [messages.columns.since, dateText(webhook.createdAt)],
          ]}
        />
      </Panel>
      <Deliveries webhook={webhook} requests={requests} />
    </View>
  );
}

/** Why the webhook does not work, and for how long two secrets sign. */
function Notes({ webhook }: { webhook: Webhook }): JSX.Element {
  const { disabledReason, failingSince, formerSecretUntil } = webhook;
  return (
    <>
      {disabledReason !== null && <p class="notice error">{messages.reasons[disabledReason]}</p>}
      {disabledReason === null && failingSince !== null && (
        <p class="notice info">{messages.failingSince(momentText(failingSince))}</p>
      )}
      {formerSecretUntil !== null && Date.parse(formerSecretUntil) > Date.now() && (
        <p class="notice info">{messages.formerSecret(momentText(formerSecretUntil))}</p>
      )}
    </>
  );
}

function Actions({ webhook, requests, listHref, changed }: WebhookContentProps): JSX.Element {
  const button = (
    label: string,
    action: (requests: WebhookRequests, webhook: Webhook) => Promise<boolean>,
    done = changed,
  ): JSX.Element => (
    <button
      type="button"
      class="button secondary"
      onClick={() =>
        void action(requests, webhook).then((isDone) => {
          if (isDone) done();
        })
      }
    >
      {label}
    </button>
  );
  return (
    <>
      {webhook.isActive && button(messages.test, testWebhook)}
      {webhook.isActive && button(messages.replay, replayWebhook)}
      {button(messages.edit, editWebhook)}
      {button(messages.rotate, rotateSecret)}
      {webhook.isActive ? button(messages.disable, disableWebhook) : button(messages.enable, enableWebhook)}
      {button(messages.remove, removeWebhook, () => go(listHref))}
    </>
  );
}
