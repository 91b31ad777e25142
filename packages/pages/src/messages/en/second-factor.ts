import { pluralIn } from '../plural.js';

const plural = pluralIn('en');

/** Texts of the second step of a sign-in that the service renders. */
export const secondFactorMessages = {
  heading: 'Two-step verification',
  signingInAs: 'Signing in as {account}.',
  code: 'Code',
  codeHint: 'The 6 digits that your authenticator app shows for this account. They are sent once complete.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'One of the codes that you saved. Each works once.',
  verify: 'Verify',
  verifying: 'Verifying…',
  useCode: 'Use the authenticator app',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  passkeyLead: 'Use your passkey to finish signing in.',
  /** `{twoStep}` is not broken between lines. */
  setUpHeading: 'Set up {twoStep} verification',
  twoStep: 'two-step',
  setUpLead:
    'Your account {account} must be protected by a code besides the password. The codes come from an authenticator app on your phone, or from your password manager.',
  setUpTime: 'Have the app ready: you have {minutes} to finish.',
  /** The time until the script fills in what is left. */
  fiveMinutes: '5 minutes',
  setUp: 'Set up',
  addHeading: 'Add this account to your app',
  scan: 'Scan the QR code with your authenticator app.',
  cannotScan: "Can't scan it? Enter this key in the app, or open the app if it's on this device.",
  confirmApp: 'Confirm the app',
  enrolCodeHint: 'The 6 digits that the app now shows for this account. They are sent once complete.',
  confirm: 'Confirm',
  confirming: 'Confirming…',
  codesHeading: 'Save your recovery codes',
  codesLead:
    'If you lose your authenticator app, each of these codes signs {account} in once. Keep them in a safe place: they are not shown again.',
  codesSaved: "I've saved the codes",
};

/** Texts of the second step that scripts show. */
export const secondFactorScriptMessages = {
  wrongCode: 'Incorrect code. Enter the newest code of the app.',
  wrongRecoveryCode: 'Incorrect code, or it was used before.',
  passkeyFailed: "This passkey doesn't work here.",
  noPasskey: 'No passkey was used. Try again, or use another way.',
  minutes: (count: number): string => plural(count, { one: '{n} minute', other: '{n} minutes' }),
  copied: 'Copied.',
  selected: 'Selected. Copy it with the menu of your browser.',
};

/** Texts of the secret of a new authenticator app. */
export const enrolmentMessages = {
  qrCode: 'QR code for your authenticator app',
  copyKey: 'Copy the key',
  openApp: 'Open the app',
};

/** Texts of new recovery codes. */
export const recoveryCodesMessages = {
  codes: 'Recovery codes',
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  codesOf: (email: string, brand: string): string => `Recovery codes of ${email} for ${brand}.`,
  eachOnce: 'Each signs in once.',
  fileName: 'recovery-codes.txt',
};
