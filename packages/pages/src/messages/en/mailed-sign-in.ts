/** Texts of the sign-in by a mailed link or code, which its script shows. */
export const mailedSignInMessages = {
  lead: 'You get a mail with a link and a code. No password is needed.',
  email: 'Email',
  send: 'Send the mail',
  sending: 'Sending…',
  sentHeading: 'Check your inbox',
  sentLead:
    'If {email} has an account, a mail is on its way. Open its link in this browser, or type its code here.',
  code: 'Code',
  codeHint: 'Eight letters and digits from the mail',
  submit: 'Sign in',
  signingIn: 'Signing in…',
  wrongCode:
    "This code doesn't work: it is wrong, was used, or has expired. Check it, or have the mail sent again.",
  sendAgain: 'Send again',
  sendAgainIn: (seconds: number) => `Send again in ${seconds} s`,
  sentAgain: 'The mail is on its way again.',
  otherEmail: 'Use another email',
  otherWay: 'Sign in another way',
  moment: 'One moment',
  elsewhereHeading: 'Type this code where you began',
  elsewhere: 'You asked to sign in in another browser or on another device. Type this code there:',
  elsewhereWithoutCode:
    'You asked to sign in in another browser or on another device. Type the code of the mail there.',
  warning: "Give the code to no one. If you didn't ask for it, close this page: no one is signed in.",
  unusableHeading: "This link doesn't sign you in",
  unusable:
    'It was used, has expired, or a newer sign-in was begun. If you asked in another browser, type the code of the mail there.',
  again: 'Get a new mail',
  tryAgain: 'Try again',
  failedHeading: 'You are not signed in',
  stepExpired: 'The second step took too long, or had too many wrong codes. Get a new mail.',
};
