import type { VNode } from 'preact';
import { securityMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { pageData } from '../page-data.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field, PasswordField } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { useForm, type Explanation } from '../ui/use-form.js';
import { accountFailureText, hasReason } from './failure-texts.js';
import { useAccount } from './me.js';

type AddField = 'name' | 'currentPassword';

interface AddPasskeyDialogProps {
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Users who sign in by another service may have no password: the service then asks for a fresh sign-in in its place. */
const MAY_LACK_PASSWORD = pageData.providers.length > 0;

/** Asks for a name and the password, then the browser for a passkey. */
export function AddPasskeyDialog({ onDone, onClose }: AddPasskeyDialogProps): VNode {
  const { email } = useAccount().me;
  const guarded = useGuarded();
  const announce = useToast();
  const form = useForm<AddField>({
    initial: { name: '', currentPassword: '' },
    explain,
    submit: async ({ name, currentPassword }) => {
      const named = name.trim() === '' ? {} : { name: name.trim() };
      const proof = currentPassword === '' ? {} : { currentPassword };
      const { error } = await guarded(() => client.passkeys.add({ ...proof, ...named }));
      if (error) return error;
      await onDone();
      onClose();
      announce(messages.passkeyAdded, 'spoken');
      return undefined;
    },
  });
  return (
    <Dialog title={messages.addPasskey} onClose={onClose}>
      <p class="dialog-text">{messages.addPasskeyLead}</p>
      <p class="dialog-text">{messages.firstFactor}</p>
      <Form form={form} label={messages.addPasskey}>
        <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
        <Field
          form={form}
          name="name"
          label={messages.passkeyName}
          hint={messages.passkeyNameHint}
          autocomplete="off"
          maxLength={100}
          isOptional
          isFirst
        />
        <PasswordField
          form={form}
          name="currentPassword"
          label={messages.currentPassword}
          autocomplete="current-password"
          {...(MAY_LACK_PASSWORD && { isOptional: true, hint: messages.noPasswordHint })}
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.continue}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

function explain(failure: Failure): Explanation<AddField> | undefined {
  if (hasReason(failure, 'current_password_wrong'))
    return { field: 'currentPassword', text: messages.wrongPassword };
  if (failure.code === 'passkey_exists' || hasReason(failure, 'passkey_registered'))
    return { text: messages.passkeyExists };
  return hasReason(failure, 'passkey_limit_reached') ? { text: accountFailureText(failure) } : undefined;
}
