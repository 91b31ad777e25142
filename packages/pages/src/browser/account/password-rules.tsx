import type { VNode } from 'preact';
import { securityMessages as messages } from '../../messages/en/account.js';
import { appData } from '../app-data.js';
import { pageData } from '../page-data.js';
import { strengthText } from '../password-rules.js';
import { strengthOf } from '../password-strength.js';

/** The rules of a new password, and an estimate of its strength while it is typed. The service decides. */
export function PasswordRules({ password, email }: { password: string; email: string }): VNode {
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
