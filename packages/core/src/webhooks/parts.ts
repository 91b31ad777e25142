import { ValueCipher } from '../encryption/value-cipher.js';
import { withOthers, type PartsOf } from '../kernel/assemble.js';
import type { Configured } from '../settings/settings.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookService } from './webhook-service.js';

export interface Working extends Configured {
  readonly webhookCipher: ValueCipher | undefined;
}

/** The parts that administer webhooks, in the service and at the command line. */
export const webhookParts = {
  webhookCipher: cipherOf,
  webhooks: (parts: Configured & Omit<PartsOf<typeof WebhookService>, 'ownUrl'>) =>
    new WebhookService(withOthers(parts, { ownUrl: parts.settings.http.baseUrl })),
};

/** The parts that queue and send messages, in the service. Undefined where nothing is to be sent. */
export const webhookWorkerParts = {
  webhookSender: (parts: Working & Omit<PartsOf<typeof WebhookSender>, 'cipher'>) =>
    isWorking(parts) && parts.settings.webhooks.send
      ? new WebhookSender(withOthers(parts, { cipher: parts.webhookCipher }))
      : undefined,
  webhookDispatcher: (
    parts: Working &
      PartsOf<typeof WebhookDispatcher> & { readonly webhookSender: WebhookSender | undefined },
  ) => (isWorking(parts) ? new WebhookDispatcher(parts, () => parts.webhookSender?.wake()) : undefined),
};

const isWorking = (parts: Working): parts is Working & { webhookCipher: ValueCipher } =>
  parts.settings.webhooks.mode !== 'off' && parts.webhookCipher !== undefined;

/** Commands administer webhooks, and sign nothing, while they are off. */
function cipherOf({ settings }: Configured): ValueCipher | undefined {
  const { keys } = settings.encryption;
  return keys && new ValueCipher(keys.reveal());
}
