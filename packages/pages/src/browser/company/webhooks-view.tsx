import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { webhookMessages as messages } from '../../messages/en/company-programs.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { List, Row, Section } from '../ui/section.js';
import { useToast } from '../ui/toast.js';
import { useAct, useCompany, useCompanyQuery } from './company.js';
import { DeliveriesDialog } from './deliveries-dialog.js';
import { Listed } from './parts.js';
import { SecretDialog } from './secret-dialog.js';
import { companyFailureText } from './texts.js';
import { WebhookDialog } from './webhook-dialog.js';

type Webhook = Schemas['Webhook'];
type Asked = { about: 'add' } | { about: 'deliveries' | 'remove'; webhook: Webhook };

/** The webhooks of the company. The secret of one is shown once, when it is added. */
export function WebhooksView(): VNode {
  const { company } = useCompany();
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<string>();
  const webhooks = useCompanyQuery(company.id, (signal) =>
    client.request('GET', '/internal/companies/{companyId}/webhooks', {
      path: { companyId: company.id },
      signal,
    }),
  );
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <Button rank="primary" onPress={() => setAsked({ about: 'add' })}>
          {messages.add}
        </Button>
      }
    >
      <Listed query={webhooks} empty={messages.none}>
        {(items) => (
          <List label={messages.title}>
            {items.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onAsk={setAsked} onChanged={webhooks.reload} />
            ))}
          </List>
        )}
      </Listed>
      {asked && (
        <Dialogs
          asked={asked}
          onClose={() => setAsked(undefined)}
          onAdded={setSecret}
          onChanged={webhooks.reload}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={messages.secretTitle}
          lead={messages.shownOnce}
          secret={secret}
          texts={messages}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  );
}

interface DialogsProps {
  asked: Asked;
  onClose: () => void;
  onAdded: (secret: string) => void;
  onChanged: () => void;
}

function Dialogs({ asked, onClose, onAdded, onChanged }: DialogsProps): VNode {
  const added = (secret: string): void => {
    onClose();
    onAdded(secret);
    onChanged();
  };
  if (asked.about === 'add') return <WebhookDialog onClose={onClose} onAdded={added} />;
  if (asked.about === 'deliveries') return <DeliveriesDialog webhook={asked.webhook} onClose={onClose} />;
  return <RemoveDialog webhook={asked.webhook} onClose={onClose} onDone={onChanged} />;
}

interface WebhookRowProps {
  webhook: Webhook;
  onAsk: (asked: Asked) => void;
  onChanged: () => void;
}

/** Returns functions that test a webhook, and turn it on or off. */
function useChanges({ id, isActive }: Webhook, onChanged: () => void) {
  const { company } = useCompany();
  const path = { companyId: company.id, id };
  const announce = useToast();
  const act = useAct();
  const run = async (...action: Parameters<typeof act>): Promise<void> => {
    const failure = await act(...action);
    if (failure && failure.code !== 'aborted') announce(companyFailureText(failure), 'danger');
    onChanged();
  };
  const test = () =>
    run(
      () => client.request('POST', '/internal/companies/{companyId}/webhooks/{id}/test', { path }),
      () => announce(messages.tested),
    );
  const turn = () =>
    run(
      () =>
        client.request('PATCH', '/internal/companies/{companyId}/webhooks/{id}', {
          path,
          body: { isActive: !isActive },
        }),
      () => announce(messages.saved),
    );
  return { test, turn };
}

function WebhookRow({ webhook, onAsk, onChanged }: WebhookRowProps): VNode {
  const { url, events, description, isActive, disabledReason } = webhook;
  const { test, turn } = useChanges(webhook, onChanged);
  return (
    <Row
      title={url}
      badge={stateOf(webhook)}
      details={[
        description,
        events.includes('*') ? messages.allEvents : events.join(', '),
        disabledReason !== null && messages.disabled[disabledReason],
      ]}
      actions={
        <>
          {isActive && (
            <Button label={messages.testOf(url)} onPress={test}>
              {messages.test}
            </Button>
          )}
          <Button label={messages.deliveriesOf(url)} onPress={() => onAsk({ about: 'deliveries', webhook })}>
            {messages.deliveries}
          </Button>
          <Button label={isActive ? messages.turnOffOf(url) : messages.turnOnOf(url)} onPress={turn}>
            {isActive ? messages.turnOff : messages.turnOn}
          </Button>
          <Button label={messages.removeOf(url)} onPress={() => onAsk({ about: 'remove', webhook })}>
            {messages.remove}
          </Button>
        </>
      }
    />
  );
}

function stateOf({ isActive, failingSince }: Webhook): string {
  if (!isActive) return messages.off;
  return failingSince === null ? messages.active : messages.failing;
}

interface RemoveDialogProps {
  webhook: Webhook;
  onClose: () => void;
  onDone: () => void;
}

function RemoveDialog({ webhook: { id, url }, onClose, onDone }: RemoveDialogProps): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const remove = () =>
    act(
      () =>
        client.request('DELETE', '/internal/companies/{companyId}/webhooks/{id}', {
          path: { companyId: company.id, id },
        }),
      () => {
        announce(messages.removed);
        onClose();
        onDone();
      },
    );
  return (
    <ConfirmDialog
      title={messages.removeTitle}
      action={messages.remove}
      textOf={companyFailureText}
      onConfirm={remove}
      onClose={onClose}
    >
      {messages.removeText(url)}
    </ConfirmDialog>
  );
}
