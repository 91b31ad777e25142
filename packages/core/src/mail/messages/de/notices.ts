import type { noticeTexts as english } from '../en/notices.js';
import type { Translation } from '../translation.js';

const factorOf = (name: string | null) =>
  name === null ? 'Ein zweiter Faktor' : `Der zweite Faktor „${name}“`;
const keyOf = (name: string | null) => (name === null ? 'Ein API-Schlüssel' : `Der API-Schlüssel „${name}“`);
const passkeyOf = (name: string | null) => (name === null ? 'Ein Passkey' : `Der Passkey „${name}“`);

const identityOf = (name: string | null) =>
  name === null ? 'Ein Konto bei einem anderen Dienst' : `Ihr Konto bei ${name}`;

const browserOf = (name: string | null) => (name === null ? 'ein Browser' : `der Browser „${name}“`);

export const noticeTexts: Translation<typeof english> = {
  notice: {
    reason: 'sie die Sicherheit Ihres Kontos betrifft',
    wasYou: 'Wenn Sie das waren, müssen Sie nichts tun.',
    wasNotYou:
      'Wenn Sie das nicht waren, hat möglicherweise jemand anderes Zugriff auf Ihr Konto. Wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an.',
  },
  passwordChanged: {
    subject: ({ product }) => `Ihr Passwort bei ${product} wurde geändert`,
    changed: ({ product, when }) => `Das Passwort Ihres Kontos bei ${product} wurde ${when} geändert.`,
  },
  passkey: {
    addedSubject: ({ product }) => `Ihrem Konto bei ${product} wurde ein Passkey hinzugefügt`,
    added: ({ product, when, name }) =>
      `${passkeyOf(name)} wurde Ihrem Konto bei ${product} ${when} hinzugefügt. Damit ist eine Anmeldung ohne Ihr Passwort möglich.`,
    addedNotByYou:
      'Wenn Sie das nicht waren, hat möglicherweise jemand anderes Zugriff auf Ihr Konto. Wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an: Dabei werden alle Passkeys entfernt.',
    removedSubject: ({ product }) => `Aus Ihrem Konto bei ${product} wurde ein Passkey entfernt`,
    removed: ({ product, when, name }) =>
      `${passkeyOf(name)} wurde ${when} aus Ihrem Konto bei ${product} entfernt. Eine Anmeldung damit ist nicht mehr möglich.`,
  },
  identity: {
    linkedSubject: ({ product }) => `Eine neue Anmeldung bei ${product}`,
    linked: ({ product, when, name }) =>
      `${identityOf(name)} wurde ${when} mit Ihrem Konto bei ${product} verknüpft. Damit ist eine Anmeldung ohne Ihr Passwort möglich.`,
    linkedNotByYou:
      'Wenn Sie das nicht waren, hat möglicherweise jemand anderes Zugriff auf Ihr Konto. Wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an: Dabei werden Konten entfernt, die andere verknüpft haben.',
    unlinkedSubject: ({ product }) => `Eine Anmeldung bei ${product} wurde entfernt`,
    unlinked: ({ product, when, name }) =>
      `${identityOf(name)} wurde ${when} von Ihrem Konto bei ${product} getrennt. Eine Anmeldung damit ist nicht mehr möglich.`,
    reclaimedSubject: ({ product }) => `Ihr Konto bei ${product} gehört wieder Ihnen`,
    reclaimed: ({ product, when, name }) =>
      `${name ?? 'Ein anderer Dienst'} hat ${when} bestätigt, dass dieses Postfach Ihnen gehört. Das Konto bei ${product} mit dieser Adresse wurde ohne diesen Nachweis registriert. Deshalb wurde alles entfernt, was damit eingerichtet war: Passwort, Passkeys, zweite Faktoren, API-Schlüssel und Sitzungen. Sie können sich mit Ihrem Konto bei dem Dienst anmelden oder auf der Anmeldeseite ein neues Passwort anfordern.`,
  },
  factor: {
    addedSubject: ({ product }) => `Ihrem Konto bei ${product} wurde ein zweiter Faktor hinzugefügt`,
    added: ({ product, when, name }) =>
      `${factorOf(name)} wurde Ihrem Konto bei ${product} ${when} hinzugefügt. Die Anmeldung mit Ihrem Passwort erfordert jetzt zusätzlich einen Code dieses Faktors.`,
    removedSubject: ({ product }) => `Aus Ihrem Konto bei ${product} wurde ein zweiter Faktor entfernt`,
    removed: ({ product, when, name }) =>
      `${factorOf(name)} wurde ${when} aus Ihrem Konto bei ${product} entfernt. Seine Codes sind nicht mehr gültig.`,
    resetSubject: ({ product }) => `Die zweiten Faktoren Ihres Kontos bei ${product} wurden entfernt`,
    reset: ({ product, when }) =>
      `Ein Administrator hat ${when} alle zweiten Faktoren, Wiederherstellungscodes und Passkeys Ihres Kontos bei ${product} entfernt und Sie überall abgemeldet.`,
    setUpAgain: 'Melden Sie sich mit Ihrem Passwort an und richten Sie einen neuen zweiten Faktor ein.',
    notAskedFor:
      'Wenn Sie nicht darum gebeten haben, wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an.',
  },
  trustedDevice: {
    subject: ({ product }) => `Ihr Konto bei ${product} vertraut einem Gerät`,
    added: ({ product, when, name, days }) =>
      `Sie haben ${when} festgelegt, dass ${browserOf(name)} bei der Anmeldung an ${product} ${days === 1 ? 'einen Tag' : `${days} Tage`} lang nicht nach Ihrem zweiten Faktor gefragt wird.`,
    wasNotYou:
      'Wenn Sie das nicht waren, hat möglicherweise jemand anderes Zugriff auf Ihr Konto. Wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an: Dabei werden alle vertrauten Geräte entfernt.',
  },
  apiKey: {
    createdSubject: ({ product }) => `Mit Ihrem Konto bei ${product} wurde ein API-Schlüssel erstellt`,
    created: ({ product, when, name }) =>
      `${keyOf(name)} wurde ${when} für Ihr Konto bei ${product} erstellt. Ein Programm, das ihn hat, handelt mit Ihren Rechten, bis Sie ihn widerrufen oder er abläuft.`,
    createdForCompany: ({ product, when, name }) =>
      `${keyOf(name)} eines Unternehmens wurde ${when} mit Ihrem Konto bei ${product} erstellt. Er gehört dem Unternehmen und gilt, bis ein Administrator des Unternehmens ihn widerruft oder er abläuft.`,
    createdNotByYou:
      'Wenn Sie das nicht waren, hat möglicherweise jemand anderes Zugriff auf Ihr Konto. Widerrufen Sie den Schlüssel, wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an: Dabei werden alle Ihre persönlichen API-Schlüssel widerrufen.',
    expiringSubject: ({ product }) => `Ein API-Schlüssel bei ${product} läuft in 7 Tagen ab`,
    expiring: ({ product, name, hint }) =>
      `${keyOf(name)} bei ${product}, der auf ${hint} endet, läuft in 7 Tagen ab. Programme, die ihn verwenden, werden dann abgewiesen.`,
    replaceIt:
      'Wenn ein Programm ihn noch braucht, erstellen Sie vorher einen neuen Schlüssel und geben Sie ihn dem Programm.',
    noLongerNeeded: 'Wenn ihn kein Programm mehr braucht, müssen Sie nichts tun.',
  },
  recoveryCode: {
    subject: ({ product }) => `Ein Wiederherstellungscode Ihres Kontos bei ${product} wurde verwendet`,
    used: ({ product, when }) =>
      `Ein Wiederherstellungscode Ihres Kontos bei ${product} wurde ${when} anstelle eines zweiten Faktors verwendet.`,
    left(count) {
      if (count === 0) return 'Es war der letzte.';
      return count === 1 ? 'Ein Code ist noch übrig.' : `${count} Codes sind noch übrig.`;
    },
    wasYou:
      'Wenn Sie das waren, erstellen Sie neue Wiederherstellungscodes, sobald nur noch wenige übrig sind, und richten Sie einen neuen zweiten Faktor ein, falls Sie den alten verloren haben.',
    wasNotYou:
      'Wenn Sie das nicht waren, kennt jemand anderes Ihr Passwort und Ihre Wiederherstellungscodes. Wenden Sie sich umgehend an Ihren Administrator und fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an.',
  },
  wrongCodes: {
    subject: ({ product }) => `Für Ihr Konto bei ${product} wurden falsche Codes eingegeben`,
    entered: ({ product, when }) =>
      `Für Ihr Konto bei ${product} wurden falsche Codes einer Authenticator-App eingegeben, der letzte ${when}. So weit kommt nur, wer Ihr Passwort kennt oder ein Gerät verwendet, auf dem Sie angemeldet sind.`,
    count: (count) => `Bisher waren ${count} nacheinander falsch.`,
    wasYou:
      'Wenn Sie das waren, prüfen Sie die Uhrzeit Ihres Geräts oder verwenden Sie einen Wiederherstellungscode. Nach 100 falschen Codes nacheinander wird kein Code mehr angenommen, bis Sie das Passwort zurücksetzen oder sich auf andere Weise anmelden.',
    wasNotYou:
      'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort oder fordern Sie auf der Anmeldeseite das Zurücksetzen an: Es beendet alle Sitzungen. Wenden Sie sich danach an Ihren Administrator.',
  },
  newDevice: {
    subject: ({ product }) => `Neue Anmeldung mit Ihrem Konto bei ${product}`,
    used: ({ product, when, description }) =>
      `Ihr Konto bei ${product} wurde ${when} auf einem Gerät verwendet, mit dem Sie sich bisher nicht angemeldet hatten${description}.`,
    usedBySeveral: ({ product }) =>
      `Ihr Konto bei ${product} wurde auf Geräten verwendet, mit denen Sie sich bisher nicht angemeldet hatten:`,
    listed: ({ device, when }) => `${device}, ${when}`,
    unknown: 'ein unbekanntes Gerät',
    address: (ipAddress) => `IP-Adresse ${ipAddress}`,
    wasNotYou:
      'Wenn Sie das nicht waren, fordern Sie auf der Anmeldeseite das Zurücksetzen Ihres Passworts an: Dadurch werden alle Sitzungen beendet. Wenden Sie sich anschließend an Ihren Administrator.',
  },
  actedFor: {
    subject: ({ product }) => `Bei ${product} handelt jemand in Ihrem Namen`,
    opened: ({ product, when, actor, lifetime }) =>
      `Ihr Konto bei ${product} wurde ${when} für ${actor} geöffnet. Es kann dort höchstens ${lifetime} lang in Ihrem Namen genutzt werden. Ihr Passwort, Ihre E-Mail-Adresse und Ihre Anmeldeverfahren lassen sich dabei nicht ändern.`,
    staff: 'die Administration',
    named: (name) => `„${name}“`,
    unnamed: 'eine unterstützende Person',
    endIt:
      'Die Liste Ihrer Sitzungen zeigt, wer es ist und aus welchem Grund. Beenden Sie die Sitzung dort, wenn Sie nicht einverstanden sind.',
    unexpected: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihren Administrator.',
  },
  roleChanged: {
    subject: ({ product }) => `Ihre Rolle bei ${product} wurde geändert`,
    reason: 'sie die Rechte Ihres Kontos betrifft',
    changed: ({ product, when }) => `Die Rolle Ihres Kontos bei ${product} wurde ${when} geändert.`,
    taken: (role) => `Sie haben die Rolle „${role}“ nicht mehr.`,
    given: (role) => `Ihre Rolle ist jetzt „${role}“.`,
    replaced: ({ from, to }) => `Ihre Rolle ist jetzt „${to}“; zuvor war sie „${from}“.`,
    staysSignedIn:
      'Sie bleiben angemeldet. Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihren Administrator.',
  },
};
