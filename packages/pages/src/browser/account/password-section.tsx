import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { securityMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import { pageData } from '../page-data.js';
import { strengthText } from '../password-rules.js';
import { strengthOf } from '../password-strength.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { PasswordField } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { hasReason } from './failure-texts.js';
import { useAccount } from './me.js';

/** The password, which can be changed. */
export function PasswordSection(): VNode {
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title={messages.passwordTitle}
      lead={messages.passwordLead}
      actions={<Button onPress={() => setChanging(true)}>{messages.changePassword}</Button>}
    >
      {isChanging && <PasswordDialog onClose={() => setChanging(false)} />}
    </Section>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }): VNode {
  const { email } = useAccount().me;
  const guarded = useGuarded();
  const announce = useToast();
  const form = useForm<'currentPassword' | 'newPassword'>({
    initial: { currentPassword: '', newPassword: '' },
    explain: (failure) =>
      hasReason(failure, 'current_password_wrong')
        ? { field: 'currentPassword', text: messages.wrongPassword }
        : undefined,
    submit: async (body) => {
      const { error } = await guarded(() => client.request('POST', '/auth/password/change', { body }));
      if (error) return error;
      onClose();
      announce(messages.passwordChanged);
      return undefined;
    },
  });
  return (
    <Dialog title={messages.changePassword} onClose={onClose}>
      <Form form={form} label={messages.changePassword}>
        <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
        <PasswordField
          form={form}
          name="currentPassword"
          label={messages.currentPassword}
          autocomplete="current-password"
          isFirst
        />
        <PasswordField
          form={form}
          name="newPassword"
          label={messages.newPassword}
          autocomplete="new-password"
          minLength={pageData.minPasswordLength}
          hint={<PasswordRules password={form.values.newPassword} email={email} />}
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.save}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

/** The rules of a new password, and an estimate of its strength while it is typed. The service decides. */
function PasswordRules({ password, email }: { password: string; email: string }): VNode {
  const { minPasswordLength: minLength, brand } = pageData;
  const { breachList } = appData;
  const strength = password === '' ? undefined : strengthOf(password, { minLength, email, brand });
  const isLong = strength !== undefined && strength.weakness !== 'too_short';
  return (
    <>
      <p class={isLong ? 'rule met' : 'rule'}>{messages.ruleLength(minLength)}</p>
      <p>{breachList ? messages.ruleBreach : messages.ruleUnique}</p>
      <p class="strength" role="status" data-level={isLong ? strength.level : ''}>
        {isLong ? strengthText(strength) : ''}
      </p>
    </>
  );
}
