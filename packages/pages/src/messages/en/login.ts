/** Texts of `/login` that the service renders. */
export const loginMessages = {
  title: 'Sign in',
  acceptInvitation: 'to accept your invitation',
  continueTo: 'to continue to {brand}',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  signingIn: 'Signing in…',
  or: 'or',
  usePasskey: 'Sign in with a passkey',
  byMail: 'Sign in by email',
  forgotPassword: 'Forgot your password?',
  newHere: 'New here?',
  createAccount: 'Create an account',
  otherAccount: 'Use another account',
  moment: 'One moment',
  checking: 'Checking your session…',
  signedIn: 'You are signed in',
  signedInAs: 'Signed in as {email}.',
  signOut: 'Sign out',
  signedOut: 'You are signed out',
  mayClose: 'You can close this page.',
  signInAgain: 'Sign in again',
};

/** Texts of `/login` that its script shows. */
export const loginScriptMessages = {
  stepNotOffered:
    "You aren't signed in yet: this account needs a second step, which this page doesn't offer. Sign in from your app.",
  stepExpired: 'The second step took too long, or had too many wrong codes. Enter your password again.',
  cookiesBlocked: 'Your browser blocks the cookies of this page. Allow them, then sign in again.',
  stillSignedIn: "You're still signed in because the service cannot be reached. Please try again.",
  noPasskey: "No passkey was used. If you don't have one for this account, sign in with your password.",
  passkeyFailed: "This passkey doesn't work here. Sign in with your password instead.",
  sendKeepLink: 'Send the link again',
  keepLinkSent: 'If an account with this email is about to be deleted, the link is on its way.',
};
