import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { pageData } from '../page-data.js';
import { strengthText } from '../password-rules.js';
import type { strengthOf } from '../password-strength.js';
import { scriptOnDemand } from '../script-on-demand.js';
import { PasswordField, type PasswordFieldProps, type PasswordRule } from './field.js';

interface NewPasswordFieldProps<Name extends string> extends Omit<
  PasswordFieldProps<Name>,
  'autocomplete' | 'minLength' | 'rule'
> {
  /** The email of the account, as far as it is known. */
  email: string;
}

interface Estimate {
  strengthOf: typeof strengthOf;
}

const strengthScript = scriptOnDemand<Estimate>(pageData.passwordStrengthScript);

/** Returns how to estimate the strength of a password, once it is needed and there. Without it the page has only the rule. */
function useEstimate(isNeeded: boolean): Estimate | undefined {
  const [estimate, setEstimate] = useState(strengthScript.loaded);
  useEffect(() => {
    if (isNeeded && !estimate) void strengthScript.load().then(setEstimate);
  }, [isNeeded]);
  return estimate;
}

/** A new password with its rule, and an estimate of its strength while it is typed. The service decides. */
export function NewPasswordField<Name extends string>({
  email,
  ...props
}: NewPasswordFieldProps<Name>): VNode {
  const password = props.form.values[props.name];
  const estimate = useEstimate(password !== '');
  return (
    <PasswordField
      {...props}
      autocomplete="new-password"
      minLength={pageData.minPasswordLength}
      rule={ruleFor(password, email, estimate)}
    />
  );
}

function ruleFor(password: string, email: string, estimate: Estimate | undefined): PasswordRule {
  const { minPasswordLength: minLength, brand } = pageData;
  const isMet = Array.from(password.normalize('NFKC')).length >= minLength;
  const strength = isMet ? estimate?.strengthOf(password, { minLength, email, brand }) : undefined;
  return {
    text: messages.minLength(minLength),
    isMet,
    level: strength ? String(strength.level) : '',
    strength: strength ? strengthText(strength) : '',
  };
}
