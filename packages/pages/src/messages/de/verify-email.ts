import type { verifyEmailMessages as english } from '../en/verify-email.js';
import type { Translation } from '../translation.js';

export const verifyEmailMessages: Translation<typeof english> = {
  title: 'E-Mail-Adresse bestätigen',
  moment: 'Einen Moment…',
  opening: 'Ihr Link wird geöffnet…',
  about: 'Sie bestätigen {email}.',
  email: 'E-Mail-Adresse',
  confirmLead:
    'Bestätigen Sie nur, wenn Sie sich selbst registriert haben. Falls jemand anderes Ihre E-Mail-Adresse verwendet hat, wählen Sie stattdessen {notMe} in der E-Mail.',
  notMe: 'Das war ich nicht',
  confirm: 'Bestätigen',
  confirming: 'Wird bestätigt…',
  passwordHeading: 'Registrierung bestätigen',
  passwordLead:
    'Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben. Falls Sie es nicht mehr wissen oder jemand anderes Ihre E-Mail-Adresse verwendet hat, geben Sie stattdessen ein neues ein.',
  password: 'Passwort',
  confirmedHeading: 'Ihre E-Mail-Adresse ist bestätigt',
  confirmedLead: 'Sie können sich anmelden, sobald ein Administrator Ihre Registrierung freigegeben hat.',
  doneHeading: 'Ihre Registrierung ist bestätigt',
  doneLead: 'Sie können sich jetzt mit dem Passwort anmelden, das Sie eben eingegeben haben.',
  signIn: 'Anmelden',
  unusableHeading: 'Dieser Link ist abgelaufen oder wurde bereits verwendet',
  unusableLead:
    'Vielleicht wurde Ihre Registrierung schon bestätigt. Versuchen Sie, sich anzumelden. Falls das nicht gelingt, wenden Sie sich an Ihren Administrator.',
};
