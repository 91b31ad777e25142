import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { securityMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { accountFailureText, hasReason } from './failure-texts.js';

export function RenamePasskeyDialog({
  passkey,
  onDone,
  onClose,
}: {
  passkey: Schemas['Passkey'];
  onDone: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const announce = useToast();
  const form = useForm<'name'>({
    initial: { name: passkey.name },
    explain: (failure) =>
      hasReason(failure, 'passkey_not_found') ? { text: accountFailureText(failure) } : undefined,
    submit: async ({ name }) => {
      const { error } = await client.passkeys.rename(passkey.id, name.trim());
      if (error) return error;
      await onDone();
      onClose();
      announce(messages.passkeyRenamed, 'spoken');
      return undefined;
    },
  });
  return (
    <Dialog title={messages.renameTitle} onClose={onClose}>
      <Form form={form} label={messages.renameTitle}>
        <Field
          form={form}
          name="name"
          label={messages.passkeyName}
          hint={messages.passkeyNameHint}
          autocomplete="off"
          maxLength={100}
          isFirst
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.save}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}
