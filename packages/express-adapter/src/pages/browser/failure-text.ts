import type { Failure, FieldFault } from './api.js';

const TEXTS: Record<string, string> = {
  unauthorized: 'Incorrect email or password.',
  pending_approval:
    'Your account is waiting for approval. You can sign in as soon as an administrator has approved it.',
  registration_rejected: 'Your registration was not approved. Contact your administrator.',
  account_inactive: 'This account is deactivated. Contact your administrator.',
  service_unavailable: 'The service cannot be reached at the moment. Please try again in a few minutes.',
  internal_error: 'Something went wrong on our side. Please try again.',
};

/** Returns the message for a failure: what is wrong, and what to do. */
export function failureText(failure: Failure): string {
  if (failure.code === 'rate_limited') return `Too many attempts. ${waitText(failure)}`;
  return TEXTS[failure.code] ?? failure.message;
}

/** Returns the message for a rate limit without its heading. */
export const waitText = ({ retryAfter }: Failure): string =>
  `Please wait ${durationText(retryAfter)} and try again.`;

const FIELD_TEXTS: Record<string, string> = {
  required: 'This field is required.',
  too_common: 'Choose a password that is harder to guess.',
  like_email: 'Choose a password that is not part of your email address.',
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
