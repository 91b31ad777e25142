import type { firstRunMessages as english } from '../en/first-run.js';
import type { Translation } from '../translation.js';

export const firstRunMessages: Translation<typeof english> = {
  title: 'Erstes Administrationskonto anlegen',
  lead: 'Dieses Konto darf in der Konsole alles. Die Seite funktioniert einmal und nur auf diesem Rechner.',
  submit: 'Konto anlegen',
  submitting: 'Konto wird angelegt…',
  unusable: 'Dieser Link funktioniert nicht',
  unusableText:
    'Öffnen Sie den Link, den der Dienst beim letzten Start ausgegeben hat: Jeder Start gibt einen neuen aus. Oder führen Sie {command} aus.',
  exists: 'Es gibt bereits ein Administrationskonto',
  existsText: 'Melden Sie sich mit diesem Konto an. Es kann in der Konsole weitere Konten freigeben.',
  hint: 'Es gibt noch kein Administrationskonto. Öffnen Sie den Link, den der Dienst beim Start ausgegeben hat, oder führen Sie {command} aus, um eines anzulegen.',
  hintOfCommand: 'Es gibt noch kein Administrationskonto. Führen Sie {command} aus, um eines anzulegen.',
  emailTaken:
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Verwenden Sie eine andere, oder führen Sie „npx latchkey bootstrap“ aus, um dieses Konto zum Administrationskonto zu machen.',
};
