/** The thing to enter, by the name of the field in requests. */
const MISSING: Partial<Record<string, string>> = {
  email: 'Enter your email.',
  password: 'Enter your password.',
  newPassword: 'Enter your new password.',
  fullName: 'Enter your full name.',
  code: 'Enter your code.',
  recoveryCode: 'Enter your recovery code.',
};

/** Texts of the components that pages with much state share. */
export const uiMessages = {
  optional: 'optional',
  show: 'Show',
  hide: 'Hide',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  /** @param name that of the field in requests. */
  missing: (name: string): string => MISSING[name] ?? 'Fill in this field.',
  invalidEmail: 'Enter a valid email address.',
  tooShort: (count: number) => `Use at least ${count} characters.`,
  cancel: 'Cancel',
  closeMessage: 'Close message',
  copied: 'Copied.',
  selected: 'Selected. Copy it with the menu of your browser.',
  tryAgain: 'Try again',
  tryAgainNow: 'You can try again.',
  openConsole: 'Open the console',
  manageAccount: 'Manage your account',
  continue: 'Continue',
  capsLock: 'Caps Lock is on.',
  /** The rule of a new password. */
  minLength: (characters: number): string => `At least ${characters} characters.`,
  strength: {
    common: 'Easy to guess: it is a common password.',
    commonHere: 'Easy to guess: it is a common password. In production it would be refused.',
    likeEmail: 'Easy to guess: it is like your email address.',
    weak: 'Easy to guess. Use more characters.',
    fair: 'Fair. More characters make it stronger.',
    good: 'Good password.',
    strong: 'Strong password.',
  },
  loading: 'Loading…',
};

/** Texts of the dialog that asks for a fresh sign-in. */
export const stepUpMessages = {
  title: "Confirm it's you",
  leadPasskey: 'Your account has a passkey. Use it to go on.',
  leadApp: 'Your account has two-step verification. Confirm with your second step to go on.',
  leadRecent: 'Your sign-in was a while ago. Confirm it again to go on.',
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  checking: 'One moment…',
  password: 'Password',
  code: 'Code',
  codeHint: 'The 6 digits that your authenticator app shows for this account.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'One of the codes that you saved. Each works once.',
  confirm: 'Confirm',
  usePassword: 'Use your password',
  useCode: 'Use the authenticator app',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  otherWays: 'Other ways to confirm',
  wrongPassword: 'Incorrect password.',
  wrongCode: 'Incorrect code. Enter the newest code of the app.',
  wrongRecoveryCode: 'Incorrect code, or it was used before.',
  wrongPasskey: "This passkey doesn't work for this account.",
  noMethod:
    'This needs two-step verification, which this account does not have yet. Set it up on the page of your account first.',
};

/** Texts of lists that follow a log. */
export const liveMessages = {
  live: 'Live',
  on: 'New entries appear automatically.',
  failed: 'The connection was lost. Trying again…',
};

/** Texts of the approximate place of an IP address. */
export const placeMessages = { approximate: 'Approximate place of the IP address, often wrong.' };
