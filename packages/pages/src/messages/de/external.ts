import type {
  externalMessages as english,
  externalScriptMessages as englishScript,
  linkedMessages as englishLinked,
  providerMessages as englishProvider,
} from '../en/external.js';
import type { Translation } from '../translation.js';

export const externalMessages: Translation<typeof english> = {
  title: 'Anmelden',
};

export const providerMessages: Translation<typeof englishProvider> = {
  continueWith: (label) => `Weiter mit ${label}`,
  linkLead: (label) =>
    `Zu Ihrer E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich dort an wie bisher; dann wird ${label} verknüpft und meldet Sie ebenfalls an.`,
};

export const externalScriptMessages: Translation<typeof englishScript> = {
  moment: 'Einen Moment',
  asking: 'Ihre Anmeldung wird geprüft…',
  tryAgain: 'Erneut versuchen',
  anotherWay: 'Anders anmelden',
  toAccount: 'Zurück zu Ihrem Konto',
  signInAgain: 'Erneut anmelden',
  elsewhereTitle: 'Gehen Sie dorthin zurück, wo Sie begonnen haben',
  elsewhere:
    'Diese Anmeldung wurde in einem anderen Tab oder Browser begonnen oder ist schon beendet. Gehen Sie zu jenem Tab zurück, oder melden Sie sich hier an.',
  signInHere: 'Hier anmelden',
  notSignedIn: 'Sie sind nicht angemeldet',
  notConfirmed: 'Sie sind nicht bestätigt',
  notLinked: (label) => `${label} ist nicht verknüpft`,
  linked: (label) => `${label} ist verknüpft`,
  linkedText: (label) => `Sie sind angemeldet. Ab jetzt meldet ${label} Sie ebenfalls an.`,
  cancelled: (label) => `Sie haben bei ${label} abgebrochen. Es hat sich nichts geändert.`,
  failed: (label) => `${label} hat nicht bestätigt, wer Sie sind. Bitte versuchen Sie es erneut.`,
  over: 'Es hat zu lange gedauert oder ist schon beendet. Bitte beginnen Sie noch einmal.',
  unavailable: (label) =>
    `${label} oder dieser Dienst antwortet gerade nicht. Bitte versuchen Sie es gleich noch einmal.`,
  noAccount: (label) =>
    `Zu dieser Anmeldung gehört kein Konto. Wenn Sie eines haben, melden Sie sich anders an und verknüpfen Sie ${label} auf der Seite Ihres Kontos. Wenn nicht, bitten Sie Ihren Administrator um eines.`,
  changed: 'Ihr Konto hat sich inzwischen geändert. Bitte versuchen Sie es erneut.',
  taken: (label) =>
    `Dieses Konto bei ${label} ist schon mit einem Benutzer verknüpft. Wählen Sie ein anderes.`,
  limit: 'Mehr Konten können Sie nicht verknüpfen. Lösen Sie zuerst eine Verknüpfung.',
  tooOld: (label) => `Um ${label} zu verknüpfen, melden Sie sich erneut an.`,
  sessionEnded: 'Ihre Sitzung wurde beendet. Melden Sie sich erneut an.',
  notOwner: (label) =>
    `Sie sind angemeldet, aber ${label} wurde nicht verknüpft: Es hat zu lange gedauert, oder dieses Konto hat eine andere E-Mail-Adresse als Ihres bei ${label}.`,
  stepExpired:
    'Der zweite Schritt hat zu lange gedauert, oder es gab zu viele falsche Codes. Bitte beginnen Sie noch einmal.',
};

export const linkedMessages: Translation<typeof englishLinked> = {
  title: 'Verknüpfte Konten',
  lead: 'Konten bei anderen Diensten, mit denen Sie sich hier anmelden.',
  none: 'Es ist kein Konto verknüpft.',
  link: (label) => `${label} verknüpfen`,
  off: 'Dieser Dienst wird nicht mehr angeboten und meldet Sie daher nicht mehr an.',
  unlink: 'Verknüpfung lösen',
  unlinkOf: (label) => `Verknüpfung mit ${label} lösen`,
  unlinkTitle: (label) => `Verknüpfung mit ${label} lösen?`,
  unlinkText: (label) =>
    `${label} meldet Sie nicht mehr an, und die Sitzungen, die so begonnen haben, enden. Ist diese hier dabei, werden Sie abgemeldet.`,
  unlinked: (label) => `Die Verknüpfung mit ${label} ist gelöst.`,
  linked: (label) => `${label} ist verknüpft.`,
  confirmed: 'Sie sind bestätigt. Setzen Sie fort, was Sie tun wollten.',
  lastWay:
    'Nur so können Sie sich anmelden. Legen Sie zuerst mit „Passwort vergessen?“ auf der Anmeldeseite ein Passwort fest, fügen Sie einen Passkey hinzu oder verknüpfen Sie ein anderes Konto.',
  limit: 'Mehr Konten können Sie nicht verknüpfen. Lösen Sie zuerst eine Verknüpfung.',
  useProvider: (label) => `Mit ${label} bestätigen`,
  providerLead: (label) =>
    `Sie gehen zu ${label}, bestätigen dort, wer Sie sind, und kommen zurück. Tun Sie dann noch einmal, was Sie tun wollten.`,
};
