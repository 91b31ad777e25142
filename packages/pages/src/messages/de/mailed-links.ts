import type { mailedLinkMessages as english } from '../en/mailed-links.js';
import type { Translation } from '../translation.js';

const unusableHeading = 'Dieser Link funktioniert nicht mehr';
const takenHeading = 'Diese E-Mail-Adresse hat ein anderes Konto';

export const mailedLinkMessages: Translation<typeof english> = {
  moment: 'Einen Moment…',
  opening: 'Ihr Link wird geöffnet…',
  signIn: 'Anmelden',
  changeEmail: {
    title: 'Neue E-Mail-Adresse bestätigen',
    heading: 'Diese E-Mail-Adresse ab jetzt verwenden?',
    about: '{email} ersetzt {account}, die Adresse Ihres Kontos.',
    lead: 'Sie melden sich damit an, und alle E-Mails gehen dorthin. Alle anderen Geräte werden abgemeldet.',
    button: 'Diese Adresse verwenden',
    doneHeading: 'Ihre E-Mail-Adresse ist geändert',
    done: 'Ihre bisherige Adresse wird benachrichtigt. Sie können diese Seite schließen oder sich mit der neuen Adresse anmelden.',
    unusableHeading,
    unusable:
      'Er ist abgelaufen, wurde bereits verwendet oder durch einen neueren ersetzt. Um diese Adresse zu verwenden, fordern Sie die Änderung erneut an.',
    takenHeading,
    taken:
      'Ein Konto kann nicht die Adresse eines anderen verwenden. Ihre E-Mail-Adresse bleibt unverändert.',
  },
  undoEmailChange: {
    title: 'E-Mail-Adresse wiederherstellen',
    heading: 'Ihr Konto zurückholen?',
    about: '{email} wird wieder die Adresse Ihres Kontos, anstelle von {account}.',
    lead: 'Wenn Sie die E-Mail-Adresse Ihres Kontos nicht geändert haben, machen Sie die Änderung rückgängig. Alle Geräte werden abgemeldet, Passkeys entfernt, und das Passwort gilt nicht mehr: Sie wählen ein neues.',
    button: 'Änderung rückgängig machen',
    doneHeading: 'Ihre E-Mail-Adresse ist wiederhergestellt',
    done: 'Das alte Passwort gilt nicht mehr. Fordern Sie einen Link an diese Adresse an und wählen Sie ein neues.',
    choosePassword: 'Neues Passwort wählen',
    unusableHeading,
    unusable:
      'Er ist abgelaufen oder wurde bereits verwendet. Falls Sie sich nicht anmelden können, wenden Sie sich an Ihren Administrator.',
    takenHeading,
    taken: 'Sie wurde einem anderen Konto gegeben. Wenden Sie sich an Ihren Administrator.',
  },
  undoDeletion: {
    title: 'Konto behalten',
    heading: 'Ihr Konto behalten?',
    lead: 'Ihr Konto wird bald gelöscht. Behalten Sie es, dann können Sie sich wieder anmelden. Wenn es gelöscht werden soll, schließen Sie diese Seite.',
    button: 'Mein Konto behalten',
    doneHeading: 'Ihr Konto bleibt bestehen',
    done: 'Melden Sie sich an wie bisher. Falls nicht Sie es gelöscht haben, ändern Sie dann Ihr Passwort.',
    unusableHeading,
    unusable:
      'Er ist abgelaufen, wurde bereits verwendet, oder das Konto wurde gelöscht. Falls es das Konto noch gibt, melden Sie sich an: Dann können Sie den Link erneut senden lassen.',
  },
  rejectRegistration: {
    title: 'Registrierung löschen',
    heading: 'Hat sich jemand anderes mit Ihrer E-Mail-Adresse registriert?',
    lead: 'Wenn Sie sich nicht registriert haben, löschen Sie die Registrierung. Sie kann dann nicht mehr verwendet werden, und Ihre E-Mail-Adresse ist wieder frei.',
    button: 'Das war ich nicht: löschen',
    doneHeading: 'Die Registrierung ist gelöscht',
    done: 'Es ist nichts davon übrig. Sie können diese Seite schließen.',
    unusableHeading,
    unusable:
      'Er ist abgelaufen, oder die Registrierung wurde bereits bestätigt, freigegeben oder gelöscht. Falls Sie weitere E-Mails zu einem Konto erhalten, das nicht Ihres ist, wenden Sie sich an den Administrator.',
  },
};
