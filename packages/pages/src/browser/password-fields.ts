import { enableCapsLockHints } from './caps-lock.js';
import { enablePasswordRules } from './password-rules.js';
import { enablePasswordToggles } from './password-toggle.js';

/**
 * Enables all that the service renders around password fields: showing the password, Caps Lock, and the rules of a new one.
 * @param email returns the email of the account, as far as it is known.
 */
export function enablePasswordFields(email: () => string): void {
  enablePasswordToggles();
  enableCapsLockHints();
  enablePasswordRules(email);
}
