import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { webhookMessages as messages } from '../../messages/en/company-programs.js';
import type { Failure } from '../failure.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { LoadState } from '../ui/load-state.js';
import { Notice } from '../ui/notice.js';
import { Table } from '../ui/table.js';
import { dateTimeText } from '../ui/time.js';
import { useToast } from '../ui/toast.js';
import { webhooksOf } from '../webhooks/webhook-requests.js';
import { useAct, useCompany, useCompanyQuery } from './company.js';
import { loadedOf } from './parts.js';
import { companyFailureText } from './texts.js';

const NEWEST = 20;
const DAY_MS = 86_400_000;

/** The newest messages to a webhook. One that was given up is sent again by hand, and so are all of a time. */
export function DeliveriesDialog({
  webhook: { id, url, isActive },
  onClose,
}: {
  webhook: Schemas['Webhook'];
  onClose: () => void;
}): VNode {
  const { company } = useCompany();
  const webhooks = webhooksOf(company.id);
  const act = useAct();
  const announce = useToast();
  const [notice, setNotice] = useState('');
  const deliveries = useCompanyQuery(id, (signal) => webhooks.deliveries(id, { limit: NEWEST }, signal));
  const conclude = (failure: Failure | undefined, done: string): void => {
    if (!failure) announce(done);
    setNotice(failure && failure.code !== 'aborted' ? companyFailureText(failure) : '');
    deliveries.reload();
  };
  const retry = async (deliveryId: string): Promise<void> =>
    conclude(await act(() => webhooks.retry(id, deliveryId)), messages.retried);
  const replay = async (): Promise<void> => {
    let count = 0;
    const from = new Date(Date.now() - DAY_MS).toISOString();
    const failure = await act(
      () => webhooks.replay(id, { from }),
      ({ queued }) => (count = queued),
    );
    conclude(failure, messages.replayed(count));
  };
  return (
    <Dialog title={messages.deliveriesTitle} onClose={onClose}>
      <p class="dialog-text">{url}</p>
      <LoadState loaded={loadedOf(deliveries)} />
      {deliveries.data?.length === 0 && <p>{messages.noDeliveries}</p>}
      {deliveries.data !== undefined && deliveries.data.length > 0 && (
        <Deliveries deliveries={deliveries.data} onRetry={retry} />
      )}
      {notice !== '' && <Notice>{notice}</Notice>}
      <Actions>
        <Button onPress={onClose} isFirst>
          {messages.close}
        </Button>
        {isActive && <Button onPress={replay}>{messages.replay}</Button>}
      </Actions>
    </Dialog>
  );
}

const Deliveries = ({
  deliveries,
  onRetry,
}: {
  deliveries: readonly Schemas['WebhookDelivery'][];
  onRetry: (deliveryId: string) => Promise<void>;
}): VNode => (
  <Table
    label={messages.deliveriesTitle}
    items={deliveries}
    keyOf={({ id }) => id}
    columns={[
      { title: messages.message, cell: ({ event }) => event },
      {
        title: messages.state,
        cell: (delivery) => (
          <>
            <p>{stateText(delivery)}</p>
            {delivery.status === 'DEAD' && (
              <Button label={messages.retryOf(delivery.event)} onPress={() => onRetry(delivery.id)}>
                {messages.retry}
              </Button>
            )}
          </>
        ),
      },
      { title: messages.attempts, cell: ({ attempts }) => attempts },
      { title: messages.time, cell: ({ createdAt }) => dateTimeText(createdAt) },
    ]}
  />
);

/** Returns the state in words, with what failed last. */
function stateText({ status, lastError, lastStatus }: Schemas['WebhookDelivery']): string {
  const state = messages.states[status];
  if (status === 'SENT' || lastError === null) return state;
  return `${state}: ${messages.errors[lastError]}${lastStatus === null ? '' : ` (${lastStatus})`}`;
}
