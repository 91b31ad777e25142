import type { Failure } from './api.js';

const TEXTS: Record<string, string> = {
  unauthorized: 'The email or the password is wrong.',
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

function duration(seconds: number): string {
  if (seconds < 1) return 'a moment';
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
