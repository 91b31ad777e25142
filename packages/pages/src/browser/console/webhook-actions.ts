import { webhookMessages as messages } from '../../messages/en/console/webhooks.js';
import type { WebhookEvent, WebhookRequests } from '../webhooks/webhook-requests.js';
import { webhookTypesOf } from '../webhooks/webhook-types.js';
import { numberText } from './format.js';
import type { Answers, DialogField, ShownSecret } from './overlay-store.js';
import { valuesIn } from './parts/question-dialog.js';
import { confirmed, confirmedSecret } from './perform.js';
import type { Webhook } from './types.js';

const HOUR_MS = 3_600_000;

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }));

/** The fields of a webhook, with their values so far. */
const fieldsOf = (
  isOfCompany: boolean,
  facts?: Pick<Webhook, 'url' | 'events' | 'description'>,
): DialogField[] => {
  const { url = '', description = '', events = ['*'] } = facts ?? {};
  const takesAll = events.includes('*');
  return [
    { name: 'url', label: messages.url, hint: messages.urlHint, value: url, maxLength: 2_048 },
    {
      name: 'description',
      label: messages.description,
      value: description,
      isOptional: true,
      maxLength: 200,
    },
    {
      name: 'which',
      label: messages.which,
      value: takesAll ? 'all' : 'chosen',
      options: optionsOf({ all: messages.all, chosen: messages.chosen }),
    },
    {
      name: 'events',
      label: messages.events,
      value: takesAll ? '' : events.join(','),
      choices: webhookTypesOf(isOfCompany),
      isShown: ({ which }) => which === 'chosen',
    },
  ];
};

const factsIn = ({ url = '', description = '', which, events }: Answers) => ({
  url,
  description,
  events: which === 'all' ? (['*'] as WebhookEvent[]) : (valuesIn(events) as WebhookEvent[]),
});

const shownSecret = ({ secret }: { secret: string }): ShownSecret => ({
  title: messages.secretTitle,
  lead: messages.secretLead,
  secret,
  copyLabel: messages.copySecret,
  doneLabel: messages.stored,
});

/** Every function here asks first and returns whether the action was taken. */
export const createWebhook = (webhooks: WebhookRequests, isOfCompany: boolean): Promise<boolean> =>
  confirmedSecret(
    {
      title: messages.createTitle,
      text: messages.createText,
      confirm: messages.create,
      fields: fieldsOf(isOfCompany),
    },
    (answers) => webhooks.create(factsIn(answers)),
    shownSecret,
    messages.created,
  );

export const editWebhook = (webhooks: WebhookRequests, webhook: Webhook): Promise<boolean> =>
  confirmed(
    {
      title: messages.editTitle,
      text: messages.editText,
      confirm: messages.save,
      fields: fieldsOf(webhook.companyId !== null, webhook),
    },
    (answers) => webhooks.update(webhook.id, factsIn(answers)),
    messages.saved,
  );

export const enableWebhook = (webhooks: WebhookRequests, { id }: Webhook): Promise<boolean> =>
  confirmed(
    { title: messages.enableTitle, text: messages.enableText, confirm: messages.enable },
    () => webhooks.update(id, { isActive: true }),
    messages.enabled,
  );

export const disableWebhook = (webhooks: WebhookRequests, { id }: Webhook): Promise<boolean> =>
  confirmed(
    { title: messages.disableTitle, text: messages.disableText, confirm: messages.disable, isDanger: true },
    () => webhooks.update(id, { isActive: false }),
    messages.disabled,
  );

export const removeWebhook = (webhooks: WebhookRequests, { id }: Webhook): Promise<boolean> =>
  confirmed(
    { title: messages.removeTitle, text: messages.removeText, confirm: messages.remove, isDanger: true },
    () => webhooks.remove(id),
    messages.removed,
  );

export const rotateSecret = (webhooks: WebhookRequests, { id }: Webhook): Promise<boolean> =>
  confirmedSecret(
    {
      title: messages.rotateTitle,
      text: messages.rotateText,
      confirm: messages.rotate,
      fields: [
        { name: 'overlap', label: messages.overlap, value: '24h', options: optionsOf(messages.overlaps) },
      ],
    },
    ({ overlap = '24h' }) => webhooks.rotateSecret(id, overlap),
    shownSecret,
    messages.rotated,
  );

export const testWebhook = (webhooks: WebhookRequests, { id }: Webhook): Promise<boolean> =>
  confirmed(
    { title: messages.testTitle, text: messages.testText, confirm: messages.test },
    () => webhooks.test(id),
    messages.tested,
  );

export const replayWebhook = (webhooks: WebhookRequests, { id }: Webhook): Promise<boolean> =>
  confirmed(
    {
      title: messages.replayTitle,
      text: messages.replayText,
      confirm: messages.replay,
      fields: [{ name: 'hours', label: messages.span, value: '1', options: optionsOf(messages.spans) }],
    },
    ({ hours }) => {
      // A minute less: the service compares with its own clock.
      const from = new Date(Date.now() - Number(hours) * HOUR_MS + 60_000).toISOString();
      return webhooks.replay(id, { from });
    },
    ({ queued }) => messages.replayed(numberText(queued)),
  );
