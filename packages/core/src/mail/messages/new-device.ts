import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

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
    const { name } = context.brand;
    const parts = {
      subject: `New sign-in to your ${name} account`,
      name: payload.fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `Your ${name} account was used ${moment(context.occurredAt)} from a device that had not signed in to it before${description(payload)}.`,
        'If this was you, there is nothing to do.',
        'If it was not you, request a password reset on the sign-in page: it ends all sessions. Then contact your administrator.',
      ],
    };
    return layOut(parts, context);
  },
} as const;

function description({ device, ipAddress }: NewDevice): string {
  const name = device !== null && isPlainName(device) ? device : null;
  const facts = [name, ipAddress && `address ${ipAddress}`].filter(Boolean).join(', ');
  return facts === '' ? '' : ` (${facts})`;
}
