import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { webhookMessages as messages } from '../../messages/en/company-programs.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { List, Row, Section } from '../ui/section.js';
import { useToast } from '../ui/toast.js';
import { webhooksOf } from '../webhooks/webhook-requests.js';
import { useAct, useCompany, useCompanyQuery } from './company.js';
import { DeliveriesDialog } from './deliveries-dialog.js';
import { Listed } from './parts.js';
import { SecretDialog } from './secret-dialog.js';
import { companyFailureText } from './texts.js';
import { WebhookDialog } from './webhook-dialog.js';

type Webhook = Schemas['Webhook'];
type Asked = { about: 'add' } | { about: 'deliveries' | 'rotate' | 'remove'; webhook: Webhook };

/** The former secret signs that long beside the new one. */
const OVERLAP = '24h';

/** The webhooks of the company. The secret of one is shown once, when it is made. */
export function WebhooksView(): VNode {
  const { company } = useCompany();
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<string>();
  const webhooks = useCompanyQuery(company.id, (signal) => webhooksOf(company.id).list(signal));
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
          onSecret={setSecret}
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

function Dialogs({
  asked,
  onClose,
  onSecret,
  onChanged,
}: {
  asked: Asked;
  onClose: () => void;
  onSecret: (secret: string) => void;
  onChanged: () => void;
}): VNode {
  const made = (secret: string): void => {
    onClose();
    onSecret(secret);
    onChanged();
  };
  if (asked.about === 'add') return <WebhookDialog onClose={onClose} onAdded={made} />;
  if (asked.about === 'rotate')
    return <RotateDialog webhook={asked.webhook} onClose={onClose} onMade={made} />;
  if (asked.about === 'deliveries') return <DeliveriesDialog webhook={asked.webhook} onClose={onClose} />;
  return <RemoveDialog webhook={asked.webhook} onClose={onClose} onDone={onChanged} />;
}

/** Returns functions that test a webhook, and turn it on or off. */
function useChanges({ id, isActive }: Webhook, onChanged: () => void) {
  const { company } = useCompany();
  const webhooks = webhooksOf(company.id);
  const announce = useToast();
  const act = useAct();
  const run = async (...action: Parameters<typeof act>): Promise<void> => {
    const failure = await act(...action);
    if (failure && failure.code !== 'aborted') announce(companyFailureText(failure), 'danger');
    onChanged();
  };
  const test = () =>
    run(
      () => webhooks.test(id),
      () => announce(messages.tested),
    );
  const turn = () =>
    run(
      () => webhooks.update(id, { isActive: !isActive }),
      () => announce(messages.saved, 'spoken'),
    );
  return { test, turn };
}

function WebhookRow({
  webhook,
  onAsk,
  onChanged,
}: {
  webhook: Webhook;
  onAsk: (asked: Asked) => void;
  onChanged: () => void;
}): VNode {
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
          <Button label={messages.rotateOf(url)} onPress={() => onAsk({ about: 'rotate', webhook })}>
            {messages.rotate}
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

function RotateDialog({
  webhook: { id, url },
  onClose,
  onMade,
}: {
  webhook: Webhook;
  onClose: () => void;
  onMade: (secret: string) => void;
}): VNode {
  const { company } = useCompany();
  const act = useAct();
  const rotate = () =>
    act(
      () => webhooksOf(company.id).rotateSecret(id, OVERLAP),
      ({ secret }) => onMade(secret),
    );
  return (
    <ConfirmDialog
      title={messages.rotateTitle}
      action={messages.rotate}
      rank="primary"
      textOf={companyFailureText}
      onConfirm={rotate}
      onClose={onClose}
    >
      {messages.rotateText(url)}
    </ConfirmDialog>
  );
}

function RemoveDialog({
  webhook: { id, url },
  onClose,
  onDone,
}: {
  webhook: Webhook;
  onClose: () => void;
  onDone: () => void;
}): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const remove = () =>
    act(
      () => webhooksOf(company.id).remove(id),
      () => {
        announce(messages.removed, 'spoken');
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
