import { isLimited, secondsToWait, type Failure, type FieldFault } from './failure.js';

export const UNREACHABLE = 'The service cannot be reached at the moment. Please try again in a few minutes.';

const TEXTS: Record<string, string> = {
  unauthorized: 'Incorrect email or password.',
  pending_approval:
    'Your account is waiting for approval. You can sign in as soon as an administrator has approved it.',
  registration_rejected: 'Your registration was not approved. Contact your administrator.',
  account_inactive: 'This account is deactivated. Contact your administrator.',
  email_unverified:
    'Your email address is not confirmed. Open the link in the mail we sent you, or request a new one.',
  service_unavailable: UNREACHABLE,
  network_failure: UNREACHABLE,
  unexpected_response: UNREACHABLE,
  internal_error: 'Something went wrong on our side. Please try again.',
};

/** Returns the message for a failure: what is wrong, and what to do. */
export function failureText(failure: Failure): string {
  if ('reason' in failure && failure.reason === 'code_limit_reached') {
    return `Too many wrong codes. Use a recovery code, or wait ${durationText(secondsToWait(failure))}.`;
  }
  if (isLimited(failure)) return `Too many attempts. ${waitText(failure)}`;
  return TEXTS[failure.code] ?? failure.message;
}

/** Returns the message for a rate limit without its heading. */
export const waitText = (failure: Failure): string =>
  `Please wait ${durationText(secondsToWait(failure))} and try again.`;

const FIELD_TEXTS: Record<string, string> = {
  required: 'This field is required.',
  too_common: 'Choose a password that is harder to guess.',
  like_email: 'Choose a password that is not part of your email address.',
  breached: 'This password is known from a data breach. Choose one that you use nowhere else.',
};

/** Returns the message for an invalid field. */
export const fieldText = ({ reason, message }: FieldFault): string =>
  FIELD_TEXTS[reason] ?? sentence(message);

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

function durationText(seconds: number): string {
  if (seconds < 1) return 'a moment';
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
