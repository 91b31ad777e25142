import { accountFrameMessages as messages, profileMessages } from '../../messages/en/account.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';

const MOST_APPS = 5;
const MOST_PASSKEYS = 20;

const TEXTS: Record<string, string> = {
  account_changed: messages.changedMeanwhile,
  factor_missing: messages.changedMeanwhile,
  factor_not_found: messages.changedMeanwhile,
  passkey_not_found: messages.changedMeanwhile,
  session_not_found: messages.changedMeanwhile,
  factor_limit_reached: messages.limitReached(MOST_APPS),
  passkey_limit_reached: messages.limitReached(MOST_PASSKEYS),
  mail_not_configured: profileMessages.noMail,
};

/** Returns the message for a failure on this page. */
export const accountFailureText = (failure: Failure): string =>
  ('reason' in failure ? TEXTS[failure.reason] : undefined) ?? failureText(failure);

/** Reports whether the service gave this reason. */
export const hasReason = (failure: Failure, ...reasons: readonly string[]): boolean =>
  'reason' in failure && reasons.includes(failure.reason);
