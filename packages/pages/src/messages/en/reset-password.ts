import { pluralIn } from '../plural.js';

const plural = pluralIn('en');

/** Texts of `/reset-password` that the service renders. */
export const resetPasswordMessages = {
  title: 'Reset your password',
  moment: 'One moment…',
  requestLead: "Enter your email and we'll send you a link to reset your password.",
  email: 'Email',
  send: 'Send reset link',
  sending: 'Sending…',
  backToSignIn: 'Back to sign-in',
  sentHeading: 'Check your email',
  sentLead:
    "If there's an account for {email}, you'll receive an email with a link. It can take a minute. Check your spam folder, too.",
  sendAgain: 'Send again',
  otherEmail: 'Use another email',
  passwordHeading: 'Choose a new password',
  signedOutEverywhere: "You'll be signed out on all devices.",
  signedOutAndPasskeys: "You'll be signed out on all devices, and your passkeys will be removed.",
  newPassword: 'New password',
  reset: 'Reset password',
  resetting: 'Resetting…',
  doneHeading: 'Your password has been reset',
  doneLead: 'Sign in with your new password.',
  signIn: 'Sign in',
  unusableHeading: 'This link has expired or was already used',
  unusableLead: 'Request a new link to reset your password.',
  requestNewLink: 'Request a new link',
};

/** Texts of `/reset-password` that its script shows. */
export const resetPasswordScriptMessages = {
  sendAgainIn: (seconds: number): string =>
    plural(seconds, { one: 'Send again in a second', other: 'Send again in {n} seconds' }),
  sentAgain: 'Sent again.',
};
