import type { Failure, FieldFault } from './api.js';

const TEXTS: Record<string, string> = {
  unauthorized: 'Incorrect email or password.',
  pending_approval:
    'Your account is waiting for approval. You can sign in as soon as an administrator has approved it.',
  registration_rejected: 'Your registration was not approved. Ask your administrator about it.',
  account_inactive: 'This account is deactivated. Ask your administrator about it.',
  service_unavailable:
    'The service cannot be reached at the moment. Nothing was lost: please try again in a little while.',
  internal_error: 'Something went wrong on our side. Please try again.',
};

/** What to tell a person about a failure: what it means for them, and what to do. */
export function failureText({ code, message, retryAfter }: Failure): string {
  if (code === 'rate_limited') return `Too many attempts. Please wait ${duration(retryAfter)} and try again.`;
  return TEXTS[code] ?? message;
}

const FIELD_TEXTS: Record<string, string> = {
  required: 'Please fill this in.',
  too_common: 'Choose a password that is harder to guess.',
  like_email: 'Choose a password that is not part of your email address.',
};

/** What to tell a person about a field that is refused. */
export const fieldText = ({ reason, message }: FieldFault): string =>
  FIELD_TEXTS[reason] ?? sentence(message);

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

function duration(seconds: number): string {
  if (seconds < 1) return 'a moment';
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
