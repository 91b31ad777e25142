import type { VNode } from 'preact';
import { profileMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { useGuarded } from '../ui/step-up.js';
import { useForm, type Explanation } from '../ui/use-form.js';
import { accountFailureText, hasReason } from './failure-texts.js';

/** Asks for the new address, to which a link is sent. */
export function EmailDialog({
  onSent,
  onClose,
}: {
  onSent: (newEmail: string) => void;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  const form = useForm<'newEmail'>({
    initial: { newEmail: '' },
    explain,
    submit: async ({ newEmail }) => {
      const { error } = await guarded(() =>
        client.request('POST', '/auth/email/change', { body: { newEmail } }),
      );
      if (error) return error;
      onClose();
      onSent(newEmail.trim());
      return undefined;
    },
  });
  return (
    <Dialog title={messages.change} onClose={onClose}>
      <p class="dialog-text">{messages.changeLead}</p>
      <Form form={form} label={messages.change}>
        <Field
          form={form}
          name="newEmail"
          label={messages.newEmail}
          type="email"
          autocomplete="email"
          isFirst
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.sendChange}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

function explain(failure: Failure): Explanation<'newEmail'> | undefined {
  const isOwn = 'fields' in failure && failure.fields.some(({ reason }) => reason === 'not_allowed');
  if (isOwn) return { field: 'newEmail', text: messages.sameEmail };
  return hasReason(failure, 'mail_not_configured') ? { text: accountFailureText(failure) } : undefined;
}
