import { useContext } from 'react';
import { ProviderContext } from '../react/provider.js';

/** The texts of the components, each of which can be replaced. */
export interface Texts {
  signIn: string;
  email: string;
  password: string;
  forgotPassword: string;
  createAccount: string;
  usePasskey: string;
  useMail: string;
  sendMail: string;
  /** With `{email}`. */
  mailSent: string;
  /** With `{email}`. */
  mailSentAgain: string;
  sendAgain: string;
  mailedCodeHint: string;
  wrongMailedCode: string;
  /** With `{label}`. */
  continueWith: string;
  /** With `{label}`. */
  linkFirst: string;
  otherTab: string;
  cancelled: string;
  notConfirmed: string;
  secondStep: string;
  code: string;
  codeHint: string;
  recoveryCode: string;
  /** With `{days}`. */
  trustDevice: string;
  useCode: string;
  useRecoveryCode: string;
  confirm: string;
  back: string;
  setUpFirst: string;
  setUp: string;
  wrongPassword: string;
  wrongCode: string;
  expired: string;
  noPasskey: string;
  unavailable: string;
  /** With `{seconds}`. */
  limited: string;
  loading: string;
  tryAgain: string;
  manageAccount: string;
  signOut: string;
  company: string;
  noAccess: string;
  members: string;
  search: string;
  noMembers: string;
  more: string;
  manageCompany: string;
}

const ENGLISH: Texts = {
  signIn: 'Sign in',
  email: 'Email',
  password: 'Password',
  forgotPassword: 'Forgot your password?',
  createAccount: 'Create an account',
  usePasskey: 'Sign in with a passkey',
  useMail: 'Sign in by email',
  sendMail: 'Send the mail',
  mailSent: 'If {email} has an account, a mail with a code is on its way.',
  mailSentAgain: 'The mail to {email} is on its way again.',
  sendAgain: 'Send again',
  mailedCodeHint: 'Eight letters and digits from the mail',
  wrongMailedCode: 'This code is wrong, was used, or has expired.',
  continueWith: 'Continue with {label}',
  linkFirst: 'An account with your email address exists. Sign in to it as before; then {label} is linked.',
  otherTab: 'This sign-in was begun in another tab. Go back to it, or sign in here.',
  cancelled: 'The sign-in was cancelled.',
  notConfirmed: 'The other service did not confirm this sign-in. Try again.',
  secondStep: 'Two-step verification',
  code: 'Code',
  codeHint: 'The 6 digits that your authenticator app shows.',
  recoveryCode: 'Recovery code',
  trustDevice: "Don't ask again on this device (days: {days})",
  useCode: 'Use the authenticator app',
  useRecoveryCode: 'Use a recovery code',
  confirm: 'Confirm',
  back: 'Back',
  setUpFirst: 'This account needs two-step verification, which has to be set up first.',
  setUp: 'Set it up',
  wrongPassword: 'Email or password is wrong.',
  wrongCode: 'This code is wrong or has been used.',
  expired: 'The second step took too long. Sign in again.',
  noPasskey: 'No passkey was used.',
  unavailable: 'The service cannot be reached. Try again.',
  limited: 'Too many attempts. Try again in {seconds} seconds.',
  loading: 'One moment…',
  tryAgain: 'Try again',
  manageAccount: 'Manage your account',
  signOut: 'Sign out',
  company: 'Company',
  noAccess: 'You have no access to this page.',
  members: 'Members',
  search: 'Name or email',
  noMembers: 'No member matches.',
  more: 'Show more',
  manageCompany: 'Manage the company',
};

const GERMAN: Texts = {
  signIn: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  forgotPassword: 'Passwort vergessen?',
  createAccount: 'Konto erstellen',
  usePasskey: 'Mit Passkey anmelden',
  useMail: 'Per E-Mail anmelden',
  sendMail: 'E-Mail senden',
  mailSent: 'Falls es zu {email} ein Konto gibt, ist eine E-Mail mit einem Code unterwegs.',
  mailSentAgain: 'Die E-Mail an {email} ist erneut unterwegs.',
  sendAgain: 'Erneut senden',
  mailedCodeHint: 'Acht Buchstaben und Ziffern aus der E-Mail',
  wrongMailedCode: 'Dieser Code ist falsch, wurde verwendet oder ist abgelaufen.',
  continueWith: 'Weiter mit {label}',
  linkFirst:
    'Zu Ihrer E-Mail-Adresse gibt es ein Konto. Melden Sie sich dort an wie bisher; dann wird {label} verknüpft.',
  otherTab:
    'Diese Anmeldung wurde in einem anderen Tab begonnen. Gehen Sie dorthin zurück oder melden Sie sich hier an.',
  cancelled: 'Die Anmeldung wurde abgebrochen.',
  notConfirmed: 'Der andere Dienst hat diese Anmeldung nicht bestätigt. Versuchen Sie es erneut.',
  secondStep: 'Bestätigung in zwei Schritten',
  code: 'Code',
  codeHint: 'Die 6 Ziffern, die Ihre Authenticator-App anzeigt.',
  recoveryCode: 'Wiederherstellungscode',
  trustDevice: 'Auf diesem Gerät nicht mehr fragen (Tage: {days})',
  useCode: 'Authenticator-App verwenden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  confirm: 'Bestätigen',
  back: 'Zurück',
  setUpFirst: 'Dieses Konto verlangt eine Bestätigung in zwei Schritten, die erst eingerichtet werden muss.',
  setUp: 'Jetzt einrichten',
  wrongPassword: 'E-Mail-Adresse oder Passwort ist falsch.',
  wrongCode: 'Dieser Code ist falsch oder wurde schon verwendet.',
  expired: 'Der zweite Schritt hat zu lange gedauert. Melden Sie sich erneut an.',
  noPasskey: 'Es wurde kein Passkey verwendet.',
  unavailable: 'Der Dienst ist nicht erreichbar. Versuchen Sie es erneut.',
  limited: 'Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden erneut.',
  loading: 'Einen Moment…',
  tryAgain: 'Erneut versuchen',
  manageAccount: 'Konto verwalten',
  signOut: 'Abmelden',
  company: 'Unternehmen',
  noAccess: 'Sie haben keinen Zugriff auf diese Seite.',
  members: 'Mitglieder',
  search: 'Name oder E-Mail-Adresse',
  noMembers: 'Kein Mitglied passt dazu.',
  more: 'Mehr anzeigen',
  manageCompany: 'Unternehmen verwalten',
};

/** Returns the texts in the language of the provider, with those that are replaced. */
export function useTexts(replaced: Partial<Texts> = {}): Texts {
  const language = useContext(ProviderContext)?.language;
  return { ...(language === 'de' ? GERMAN : ENGLISH), ...replaced };
}

/** An error of the client, as far as a text depends on it. */
interface Failure {
  code: string;
  message: string;
  retryAfterSeconds?: number | undefined;
}

/** Returns the text for an error; that of the service for one that has none here. */
export function errorText(texts: Texts, error: Failure): string {
  if (error.code === 'rate_limited')
    return texts.limited.replace('{seconds}', String(error.retryAfterSeconds ?? 60));
  if (/^(network_failure|service_unavailable|unexpected_response)$/.test(error.code))
    return texts.unavailable;
  return error.code.startsWith('passkey_') ? texts.noPasskey : error.message;
}
