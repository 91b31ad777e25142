import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { securityMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { QrCode, SecretKey } from '../ui/enrolment.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { useGuarded } from '../ui/step-up.js';
import { useForm, type Explanation } from '../ui/use-form.js';
import { accountFailureText, hasReason } from './failure-texts.js';

/** Shows the secret of a new authenticator app, and confirms the app with a code of it. */
export function EnrolDialog({
  enrolment,
  onDone,
  onClose,
}: {
  enrolment: Schemas['TotpEnrolment'];
  /** Receives the recovery codes that come with the first app. */
  onDone: (codes: readonly string[] | undefined) => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  const form = useForm<'code'>({
    initial: { code: '' },
    explain,
    submit: async ({ code }) => {
      const { data, error } = await guarded(() => client.factors.confirm(enrolment.id, code));
      if (!error) await onDone(data.recoveryCodes);
      return error;
    },
  });
  return (
    <Dialog title={messages.scanTitle} onClose={onClose}>
      <p class="dialog-text">{messages.scan}</p>
      <p class="dialog-text">{messages.firstFactor}</p>
      <QrCode svg={enrolment.qrSvg} />
      <p class="dialog-text">{messages.key}</p>
      <SecretKey {...enrolment} />
      <Form form={form} label={messages.confirm}>
        <Field
          form={form}
          name="code"
          label={messages.code}
          hint={messages.codeHint}
          autocomplete="one-time-code"
          inputMode="numeric"
          isCode
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.confirm}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

function explain(failure: Failure): Explanation<'code'> | undefined {
  if (hasReason(failure, 'code_wrong')) return { field: 'code', text: messages.wrongCode };
  if (hasReason(failure, 'factor_not_found')) return { text: messages.enrolmentOver };
  return hasReason(failure, 'factor_limit_reached') ? { text: accountFailureText(failure) } : undefined;
}
