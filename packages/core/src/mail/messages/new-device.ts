import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import type { MailTexts } from './mail-texts.js';
import { factsOf, type MessageContext } from './message-context.js';

/** A sign-in from a device that the user had not signed in from before. */
export interface NewDevice {
  fullName: string | null;
  /** Name of the device, such as "Chrome on macOS"; null if unknown. The client has chosen it. */
  device: string | null;
  ipAddress: string | null;
}

/** A notice without a link: security warnings with links train people to follow phishing mail. */
export const newDeviceMail = {
  kind: 'new_device',
  compose(payload: NewDevice, context: MessageContext): MailContent {
    const { notice, newDevice: texts } = context.texts;
    const facts = { ...factsOf(context), description: description(payload, texts) };
    const parts = {
      subject: texts.subject(facts),
      name: payload.fullName,
      reason: notice.reason,
      blocks: [texts.used(facts), notice.wasYou, texts.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;

function description({ device, ipAddress }: NewDevice, texts: MailTexts['newDevice']): string {
  const name = device !== null && isPlainName(device) ? device : null;
  const facts = [name, ipAddress && texts.address(ipAddress)].filter(Boolean).join(', ');
  return facts === '' ? '' : ` (${facts})`;
}
