import type { VNode } from 'preact';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { pageData } from '../page-data.js';
import { strengthText } from '../password-rules.js';
import { strengthOf } from '../password-strength.js';
import { PasswordField, type PasswordFieldProps, type PasswordRule } from './field.js';

interface NewPasswordFieldProps<Name extends string> extends Omit<
  PasswordFieldProps<Name>,
  'autocomplete' | 'minLength' | 'rule'
> {
  /** The email of the account, as far as it is known. */
  email: string;
}

/** A new password with its rule, and an estimate of its strength while it is typed. The service decides. */
export const NewPasswordField = <Name extends string>({
  email,
  ...props
}: NewPasswordFieldProps<Name>): VNode => (
  <PasswordField
    {...props}
    autocomplete="new-password"
    minLength={pageData.minPasswordLength}
    rule={ruleFor(props.form.values[props.name], email)}
  />
);

function ruleFor(password: string, email: string): PasswordRule {
  const { minPasswordLength: minLength, brand } = pageData;
  const strength = password === '' ? undefined : strengthOf(password, { minLength, email, brand });
  const isMet = strength !== undefined && strength.weakness !== 'too_short';
  return {
    text: messages.minLength(minLength),
    isMet,
    level: isMet ? String(strength.level) : '',
    strength: isMet ? strengthText(strength) : '',
  };
}
