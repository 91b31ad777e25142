import type { OutboxEntry } from '../mail/mail-kind.js';
import type { User } from '../users/user.js';
import type { UsedFactor } from './factor-verifier.js';

/** Returns the notice to a user whose recovery code was used. */
export const recoveryCodeNotice = (
  { email, fullName }: Pick<User, 'email' | 'fullName'>,
  { codesLeft = 0 }: UsedFactor,
): Extract<OutboxEntry, { kind: 'recovery_code_used' }> => ({
  kind: 'recovery_code_used',
  recipient: email,
  payload: { fullName, codesLeft },
});
