import { pluralIn } from '../plural.js';

const plural = pluralIn('en');

/** Texts of `/register` that the service renders. */
export const registerMessages = {
  title: 'Create an account',
  fullName: 'Full name',
  email: 'Email',
  password: 'Password',
  submit: 'Create account',
  submitting: 'Creating account…',
  haveAccount: 'Already have an account?',
  signIn: 'Sign in',
  taken: 'There is already an account with this email.',
  takenNext: '{signIn} or {reset}.',
  takenSignIn: 'Sign in',
  takenReset: 'reset your password',
  checkMail: 'Check your email',
  confirmByMail:
    'We sent a link to {email}. Open it and enter the password you just chose to confirm your registration.',
  confirmThenWait:
    'We sent a link to {email}. Open it to confirm your address. Then an administrator decides on your registration.',
  spam: 'It can take a minute. Check your spam folder, too.',
  waiting: 'Your registration is waiting for approval',
  waitingForMail: 'An administrator decides on it. We will email {email} as soon as you can sign in.',
  waitingWithLink:
    'An administrator decides on it. We sent a link to {email}: please open it to confirm your address. We will email you as soon as you can sign in.',
  waitingWithoutMail: 'An administrator decides on it. You can sign in as {email} once it has been approved.',
  resend: 'Send the email again',
  otherEmail: 'Use another email',
  done: 'Your account is ready',
  doneText: 'You can now sign in as {email}.',
};

/** Texts of `/register` that its script shows. */
export const registerScriptMessages = {
  notAllowed:
    'Addresses of this domain cannot register here. Use another address, or ask your administrator for an invitation.',
  resent: 'We sent the email again.',
  resendIn: (seconds: number): string =>
    plural(seconds, { one: 'Send again in a second', other: 'Send again in {n} seconds' }),
};
