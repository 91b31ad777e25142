import { boolean, choice } from '../kinds/plain-kinds.js';
import { defaulted, optional } from '../setting-definition.js';
import { WEBHOOK_MODES } from '../webhook-mode.js';

export const webhookDefinitions = [
  optional({
    name: 'WEBHOOKS',
    group: 'Webhooks',
    kind: choice(WEBHOOK_MODES),
    default: '`all` where `APP_ENV` is `development`, else `off`',
    description:
      'Signed messages about events to the servers of others. `platform`: endpoints that staff and machines create; `all`: also those ' +
      'of companies. `off`: none is sent, and endpoints wait. Needs `ENCRYPTION_KEYS`.',
    example: 'platform',
  }),
  defaulted({
    name: 'WEBHOOK_SEND',
    group: 'Webhooks',
    kind: boolean,
    default: 'true',
    description:
      'Whether this process sends them. At least one process has to; others may be without a way to the internet.',
  }),
] as const;
