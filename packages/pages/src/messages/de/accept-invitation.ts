import type {
  acceptInvitationMessages as english,
  acceptInvitationScriptMessages as englishScript,
} from '../en/accept-invitation.js';
import type { Translation } from '../translation.js';

export const acceptInvitationMessages: Translation<typeof english> = {
  title: 'Ihre Einladung',
  opening: 'Ihre Einladung wird geöffnet…',
  joinHeading: 'Einladung zu {company}',
  join: 'Jetzt beitreten',
  theCompany: 'dem Unternehmen',
  invitedNewcomer:
    '{inviter} hat Sie eingeladen, in der Rolle {role} beizutreten. Wählen Sie ein Passwort, um Ihr Konto zu erstellen.',
  invitedAccount:
    '{inviter} hat Sie eingeladen, in der Rolle {role} beizutreten. Sie haben bereits ein Konto: Melden Sie sich als {email} an, um beizutreten. Falls Sie noch nie ein Passwort gesetzt haben, wählen Sie auf der Anmeldeseite {forgotPassword}',
  forgotPassword: 'Passwort vergessen?',
  invitedSignedIn:
    '{inviter} hat Sie eingeladen, in der Rolle {role} beizutreten. Sie sind als {email} angemeldet.',
  expiry: 'Diese Einladung gilt bis {expiry}.',
  email: 'E-Mail-Adresse',
  name: 'Ihr Name',
  password: 'Passwort',
  createAccount: 'Konto erstellen und beitreten',
  creatingAccount: 'Ihr Konto wird erstellt…',
  signInToJoin: 'Anmelden und beitreten',
  signOut: 'Abmelden',
  wrongAccountHeading: 'Diese Einladung gilt für ein anderes Konto',
  wrongAccount: 'Sie sind als {current} angemeldet, aber die Einladung ging an {email}.',
  signOutAndContinue: 'Abmelden und fortfahren',
  welcome: 'Willkommen bei {company}',
  joined: 'Sie sind in der Rolle {role} beigetreten.',
  joinedSignedOut:
    'Sie sind in der Rolle {role} beigetreten. Ihr Konto verlangt eine Bestätigung in zwei Schritten: Melden Sie sich an, um sie einzurichten.',
  signIn: 'Anmelden',
  memberHeading: 'Sie sind bereits Mitglied bei {company}',
  member: 'Es hat sich nichts geändert.',
  expiredHeading: 'Diese Einladung ist abgelaufen',
  withdrawnHeading: 'Diese Einladung wurde zurückgezogen',
  askAgain: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',
  cancelledHeading: 'Diese Einladung wurde widerrufen',
  cancelled:
    'Die Person, die Sie eingeladen hat, hat sie widerrufen. Falls Sie das für ein Versehen halten, bitten Sie um eine neue.',
  acceptedHeading: 'Diese Einladung wurde bereits angenommen',
  accepted: 'Sie können sich wie gewohnt anmelden.',
  mailboxHeading: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse',
  mailbox:
    'Für {email} gibt es bereits ein Konto, aber die E-Mail-Adresse wurde noch nicht bestätigt. Wenn das Konto Ihnen gehört, melden Sie sich an, um beizutreten. Falls nicht oder falls Sie unsicher sind, setzen Sie das Passwort zurück und öffnen Sie danach den Link der Einladung erneut.',
  resetPassword: 'Passwort zurücksetzen',
  unknownHeading: 'Dieser Link funktioniert nicht',
  unknown:
    'Er ist unvollständig oder wurde durch eine neuere E-Mail ersetzt. Öffnen Sie den Link in der neuesten E-Mail oder bitten Sie um eine neue Einladung.',
  closedHeading: 'Diese Einladung kann nicht angenommen werden',
  toSignIn: 'Zur Anmeldung',
  limitedHeading: 'Zu viele Versuche',
  unreachableHeading: 'Der Dienst ist nicht erreichbar',
  unreachable: 'Bitte versuchen Sie es in einigen Minuten erneut.',
  tryAgain: 'Erneut versuchen',
  setUpLater: 'Später einrichten',
};

const ROLES: Partial<Record<string, string>> = {
  ADMIN: 'Administrator',
  MEMBER: 'Mitglied',
  TENANT_SUPERADMIN: 'Hauptadministrator',
};

export const acceptInvitationScriptMessages: Translation<typeof englishScript> = {
  theCompany: 'dem Unternehmen',
  administrator: 'Ein Administrator',
  administratorOf: (company) => `Ein Administrator von ${company}`,
  role: (name) =>
    ROLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).toLowerCase().replaceAll('_', ' '),
  article: () => '',
};
