import type { registrationTexts as english } from '../en/registration.js';
import type { Translation } from '../translation.js';

export const registrationTexts: Translation<typeof english> = {
  registration: {
    reason: 'diese Adresse für eine Registrierung verwendet wurde',
  },
  emailVerification: {
    confirmRegistration: ({ product }) => `Bestätigen Sie Ihre Registrierung bei ${product}`,
    confirmAddress: ({ product }) => `Bestätigen Sie Ihre E-Mail-Adresse für ${product}`,
    registered: ({ product }) =>
      `Jemand, vermutlich Sie, hat sich mit dieser Adresse bei ${product} registriert.`,
    thenSignIn: 'Bestätigen Sie, dass die Adresse Ihnen gehört; danach können Sie sich anmelden.',
    isYours: 'Bestätigen Sie, dass die Adresse Ihnen gehört.',
    awaitsApproval:
      'Bestätigen Sie, dass die Adresse Ihnen gehört. Ein Administrator prüft jede Registrierung; Ihre wartet noch auf Freigabe.',
    registrationButton: 'Registrierung bestätigen',
    addressButton: 'Adresse bestätigen',
    password:
      'Sie werden nach dem Passwort gefragt, das bei der Registrierung gewählt wurde. Wenn Sie es nicht kennen, geben Sie ein neues ein, das an seine Stelle tritt.',
    expiry: ({ lifetime }) => `Dieser Link ist ${lifetime} gültig und kann einmal verwendet werden.`,
    takeOver:
      'Wenn Sie sich nicht registriert haben, bestätigen Sie bitte nichts. Jemand hat Ihre Adresse verwendet: Um das Konto zu übernehmen, setzen Sie auf der Anmeldeseite das Passwort zurück.',
    mayDelete:
      'Wenn Sie sich nicht registriert haben, bestätigen Sie bitte nichts. Sie können die Registrierung löschen:',
    wasNotMe: 'Das war ich nicht',
  },
  pendingRegistration: {
    subject: ({ product }) => `Ihre Registrierung bei ${product} wartet auf Freigabe`,
    thanks: ({ product }) =>
      `Vielen Dank für Ihre Registrierung bei ${product}. Ein Administrator prüft jede Registrierung, bevor das Konto verwendet werden kann; Ihre wartet noch auf Freigabe.`,
    wait: 'Sobald sie freigegeben ist, können Sie sich anmelden. Bis dahin müssen Sie nichts tun.',
    notYou: 'Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren.',
  },
  registrationDecision: {
    approvedSubject: ({ product }) => `Ihre Registrierung bei ${product} wurde freigegeben`,
    approved: ({ product }) => `Ihre Registrierung bei ${product} wurde freigegeben. Willkommen!`,
    signIn: 'Anmelden',
    inactive:
      'Ihr Konto ist noch nicht aktiv. Sie können sich anmelden, sobald ein Administrator es aktiviert hat.',
    rejectedSubject: ({ product }) => `Ihre Registrierung bei ${product} wurde nicht freigegeben`,
    rejected: ({ product }) =>
      `Vielen Dank für Ihr Interesse an ${product}. Leider wurde Ihre Registrierung nicht freigegeben; Sie können sich damit nicht anmelden.`,
    mistake:
      'Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an die Personen, mit denen Sie zusammenarbeiten wollten.',
    notYou: 'Wenn Sie sich nicht registriert haben, können Sie diese E-Mail einfach ignorieren.',
  },
};
