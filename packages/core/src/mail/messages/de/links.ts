import type { linkTexts as english } from '../en/links.js';
import type { Translation } from '../translation.js';

export const linkTexts: Translation<typeof english> = {
  passwordReset: {
    subject: ({ product }) => `Setzen Sie Ihr Passwort bei ${product} zurück`,
    reason: 'für das Konto mit dieser Adresse das Zurücksetzen des Passworts angefordert wurde',
    requested: ({ product }) =>
      `Jemand, vermutlich Sie, möchte das Passwort Ihres Kontos bei ${product} zurücksetzen.`,
    choose: 'Neues Passwort wählen',
    expiry: ({ lifetime }) =>
      `Dieser Link ist ${lifetime} gültig und kann einmal verwendet werden. Beim Zurücksetzen werden Sie überall abgemeldet, und alle Passkeys werden entfernt.`,
    unexpected:
      'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie einfach ignorieren: Ihr Passwort bleibt, wie es ist.',
  },
  mailedSignIn: {
    subject: ({ product }) => `Anmelden bei ${product}`,
    reason: 'jemand sich beim Konto mit dieser Adresse anmelden wollte',
    requested: ({ product }) =>
      `Jemand, vermutlich Sie, möchte sich per E-Mail bei Ihrem Konto für ${product} anmelden.`,
    signIn: 'Anmelden',
    orType: ({ code }) =>
      `Oder geben Sie diesen Code dort ein, wo Sie ihn angefordert haben: ${code}. Geben Sie ihn an niemanden weiter: Er meldet die Person an, die ihn angefordert hat.`,
    expiry: ({ lifetime }) => `Link und Code gelten ${lifetime} und können einmal verwendet werden.`,
    unexpected:
      'Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren: Niemand wird angemeldet.',
  },
  emailChange: {
    subject: ({ product }) => `Bestätigen Sie Ihre neue E-Mail-Adresse für ${product}`,
    reason: 'jemand diese Adresse für ein Konto verwenden möchte',
    requested: ({ product }) =>
      `Jemand, vermutlich Sie, möchte diese Adresse künftig für ein Konto bei ${product} verwenden. Bestätigen Sie, dass die Adresse Ihnen gehört.`,
    confirm: 'Diese Adresse verwenden',
    expiry: ({ lifetime }) =>
      `Dieser Link ist ${lifetime} gültig und kann einmal verwendet werden. Alle anderen Geräte werden dabei abgemeldet.`,
    unexpected:
      'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie einfach ignorieren: Es ändert sich nichts.',
  },
  emailChanged: {
    subject: ({ product }) => `Die E-Mail-Adresse Ihres Kontos bei ${product} wurde geändert`,
    owner: ({ product, when }) =>
      `Die E-Mail-Adresse Ihres Kontos bei ${product} wurde ${when} geändert. Das Konto verwendet diese Adresse nicht mehr.`,
    administrator: ({ product, when }) =>
      `Ein Administrator hat die E-Mail-Adresse Ihres Kontos bei ${product} ${when} geändert. Das Konto verwendet diese Adresse nicht mehr.`,
    undo: ({ product, when }) =>
      `Die Änderung der E-Mail-Adresse eines Kontos bei ${product} wurde ${when} rückgängig gemacht. Das Konto verwendet diese Adresse nicht mehr.`,
    undoneByOwner: 'Das hat der Inhaber der früheren Adresse veranlasst. Sie müssen nichts tun.',
    unexpected: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihren Administrator.',
    wasNotYou:
      'Wenn Sie das nicht waren, hat jemand anderes Zugriff auf Ihr Konto. Machen Sie die Änderung rückgängig: Ihre Adresse wird wiederhergestellt, alle Sitzungen werden beendet, und Sie wählen ein neues Passwort.',
    undoChange: 'Änderung rückgängig machen',
    expiry: ({ lifetime }) => `Dieser Link ist ${lifetime} gültig und kann einmal verwendet werden.`,
  },
  accountDeletion: {
    subject: ({ product }) => `Ihr Konto bei ${product} wird gelöscht`,
    reason: 'für das Konto mit dieser Adresse das Löschen angefordert wurde',
    requested: ({ product, deleteAt }) =>
      `Jemand, vermutlich Sie, möchte Ihr Konto bei ${product} löschen. Es wird ${deleteAt} mit allem gelöscht, was es enthält.`,
    until: 'Bis dahin kann sich niemand dort anmelden, und Sie können das Konto mit diesem Link behalten.',
    keep: 'Mein Konto behalten',
    wasNotYou:
      'Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto: Behalten Sie es und ändern Sie dann das Passwort. Wenn das Konto gelöscht werden soll, müssen Sie nichts tun.',
  },
};
