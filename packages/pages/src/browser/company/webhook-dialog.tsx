import type { VNode } from 'preact';
import { webhookMessages as messages } from '../../messages/en/company-programs.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useForm } from '../ui/use-form.js';
import { webhooksOf } from '../webhooks/webhook-requests.js';
import { COMPANY_TYPES } from '../webhooks/webhook-types.js';
import { useAct, useCompany } from './company.js';
import { FormActions, KeysField } from './parts.js';
import { explain, keysIn } from './texts.js';

/** Returns the state of the form, which adds a webhook. */
function useNewWebhook(onAdded: (secret: string) => void) {
  const { company } = useCompany();
  const act = useAct();
  return useForm<'url' | 'description' | 'events'>({
    initial: { url: '', description: '', events: '' },
    explain,
    submit: ({ url, description, events }) => {
      const chosen = COMPANY_TYPES.filter((event) => keysIn(events).includes(event));
      return act(
        () =>
          webhooksOf(company.id).create({
            url: url.trim(),
            events: chosen.length === 0 ? ['*'] : chosen,
            ...(description.trim() !== '' && { description: description.trim() }),
          }),
        ({ secret }) => onAdded(secret),
      );
    },
  });
}

/** Adds a webhook of the company. */
export function WebhookDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (secret: string) => void;
}): VNode {
  const form = useNewWebhook(onAdded);
  return (
    <Dialog title={messages.addTitle} onClose={onClose}>
      <Form form={form} label={messages.addTitle}>
        <Field
          form={form}
          name="url"
          label={messages.url}
          hint={messages.urlHint}
          inputMode="url"
          autocomplete="off"
          maxLength={2048}
          isFirst
        />
        <Field
          form={form}
          name="description"
          label={messages.description}
          autocomplete="off"
          maxLength={200}
          isOptional
        />
        <KeysField
          form={form}
          name="events"
          label={messages.events}
          hint={messages.eventsHint}
          keys={COMPANY_TYPES}
        />
        <FormActions form={form} onClose={onClose}>
          {messages.add}
        </FormActions>
      </Form>
    </Dialog>
  );
}
