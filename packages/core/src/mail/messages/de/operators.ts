import type { operatorTexts as english } from '../en/operators.js';
import type { Translation } from '../translation.js';

const waits = ({ product, waiting }: { product: string; waiting: number }) =>
  `Bei ${product} ${waiting === 1 ? 'wartet 1 Registrierung' : `warten ${waiting} Registrierungen`} auf Freigabe`;

export const operatorTexts: Translation<typeof english> = {
  approvalWaiting: {
    subject: waits,
    reason:
      'für diese Adresse Benachrichtigungen über wartende Registrierungen eingerichtet sind (APPROVAL_NOTICE_TO)',
    waits: (facts) => `${waits(facts)}.`,
    howToDecide:
      'Wer wartet, zeigt der Befehl „latchkey users list --status PENDING“ oder die Route GET /internal/users?approvalStatus=PENDING; mit „latchkey users approve“ und „latchkey users reject“ entscheiden Sie.',
    nextMail: 'Die nächste E-Mail dieser Art kommt frühestens in einer Stunde.',
  },
  testMail: {
    subject: ({ product }) => `Test-E-Mail von ${product}`,
    reason: 'die Zustellung von E-Mails getestet wird',
    reached: ({ product, when }) =>
      `E-Mails von ${product} erreichen Sie. Dieser Test wurde ${when} von einem Betreiber gesendet.`,
    nothingToDo: 'Sie müssen nichts tun.',
  },
  webhookDisabled: {
    subject: ({ product }) => `Ein Webhook von ${product} wurde abgeschaltet`,
    reason: 'Sie diesen Webhook angelegt haben oder seine Firma verwalten',
    gone: ({ product, host }) =>
      `${product} sendet keine Webhooks mehr an ${host}: Der Empfänger hat geantwortet, dass es die Adresse nicht mehr gibt (Status 410).`,
    failing: ({ product, host }) =>
      `${product} sendet keine Webhooks mehr an ${host}: Seit fünf Tagen ist jede Zustellung fehlgeschlagen.`,
    howToActivate:
      'Schalten Sie den Webhook wieder ein, sobald sein Empfänger funktioniert. Nachrichten aus der Zwischenzeit lassen sich bis zu 30 Tage zurück nachsenden.',
  },
};
