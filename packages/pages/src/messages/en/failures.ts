import { pluralIn } from '../plural.js';

const plural = pluralIn('en');

const unreachable = 'The service cannot be reached at the moment. Please try again in a few minutes.';

/** Returns a time to wait, in minutes once it is longer than one and a half. */
function duration(seconds: number): string {
  if (seconds < 1) return 'a moment';
  if (seconds < 90) return plural(seconds, { one: 'a second', other: '{n} seconds' });
  return plural(Math.ceil(seconds / 60), { one: 'a minute', other: '{n} minutes' });
}

/** Texts for failed requests, which scripts show. */
export const failureMessages = {
  unreachable,
  byCode: {
    unauthorized: 'Incorrect email or password.',
    pending_approval:
      "Your account is waiting for approval. We'll email you as soon as an administrator has approved it.",
    registration_rejected: 'Your registration was not approved. Contact your administrator.',
    account_inactive: 'This account is deactivated. Contact your administrator.',
    email_unverified:
      'Your email address is not confirmed. Open the link in the mail we sent you, or request a new one.',
    service_unavailable: unreachable,
    network_failure: unreachable,
    unexpected_response: unreachable,
    internal_error: 'Something went wrong on our side. Please try again.',
  },
  /** @param message the text of the service, which is English. */
  other: (_code: string, _reason: string, message: string): string => message,
  deletionPending:
    'This account is about to be deleted. Keep it with the link that we have sent you, or have it sent again.',
  tooManyCodes: (seconds: number): string =>
    `Too many wrong codes. Use a recovery code, or wait ${duration(seconds)}.`,
  notWhileActing: 'You act for this user, so this is not possible. Only the user can do it.',
  codesBlocked: 'Too many wrong codes. Use a recovery code or a passkey, or reset your password.',
  tooManyAttempts: (seconds: number): string =>
    `Too many attempts. Please wait ${duration(seconds)} and try again.`,
  wait: (seconds: number): string => `Please wait ${duration(seconds)} and try again.`,
  fields: {
    required: 'This field is required.',
    too_common: 'Choose a password that is harder to guess.',
    like_email: 'Choose a password that is not part of your email address.',
    breached: 'This password is known from a data breach. Choose one that you use nowhere else.',
  },
  /** @param message the text of the service, which is English. */
  otherField: (_reason: string, message: string): string => sentence(message),
};

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
