import { controlScriptMessages as messages } from '../messages/en/controls.js';
import { elements } from './dom.js';
import { pageData } from './page-data.js';
import { strengthOf, type PasswordStrength } from './password-strength.js';

/**
 * Shows below each new password whether it is long enough and how strong it is, while it is typed.
 * @param email returns the email of the account, as far as it is known.
 */
export function enablePasswordRules(email: () => string): void {
  for (const meter of elements('[data-strength-of]')) {
    const input = document.getElementById(meter.dataset.strengthOf ?? '');
    if (!(input instanceof HTMLInputElement)) continue;
    input.addEventListener('input', () => showStrength(input, meter, email()));
  }
}

function showStrength(input: HTMLInputElement, meter: HTMLElement, email: string): void {
  const { value, minLength } = input;
  const strength = value === '' ? undefined : strengthOf(value, { minLength, email, brand: pageData.brand });
  const isLongEnough = strength !== undefined && strength.weakness !== 'too_short';
  document.getElementById(`${input.id}-hint`)?.classList.toggle('met', isLongEnough);
  meter.dataset.level = isLongEnough ? String(strength.level) : '';
  const text = isLongEnough ? strengthText(strength) : '';
  // A live region is announced each time its text is set.
  if (meter.textContent !== text) meter.textContent = text;
}

/** Returns the text for the strength of a password that is long enough. */
export function strengthText({ level, weakness }: PasswordStrength): string {
  const { common, likeEmail, weak, fair, good, strong } = messages.strength;
  if (weakness === 'too_common') return common;
  if (weakness === 'like_email') return likeEmail;
  return [weak, fair, good, strong][level - 1] ?? weak;
}
