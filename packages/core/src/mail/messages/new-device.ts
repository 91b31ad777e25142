import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** A sign-in from a device that the user had not signed in from before. */
interface DeviceUse {
  /** Name of the device, such as "Chrome on macOS"; null if unknown. The client has chosen it. */
  device: string | null;
  ipAddress: string | null;
  /** Time of the sign-in in ISO 8601. Defaults to that of the mail. */
  at?: string;
}

/** The sign-in of which the user is notified, and those whose notices were held back since the last mail. */
export interface NewDevice extends DeviceUse {
  fullName: string | null;
  /** Missing in mail that the previous version queued. */
  others?: readonly DeviceUse[];
}

/** A notice without a link: security warnings with links train people to follow phishing mail. */
export const newDeviceMail = {
  kind: 'new_device',
  compose(payload: NewDevice, context: MessageContext): MailContent {
    const { notice, newDevice: texts } = context.texts;
    const { others = [] } = payload;
    const uses = others.length === 0 ? [usedOf(payload, context)] : listOf([payload, ...others], context);
    const parts = {
      subject: texts.subject(factsOf(context)),
      name: payload.fullName,
      reason: notice.reason,
      blocks: [...uses, notice.wasYou, texts.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;

function usedOf(use: DeviceUse, context: MessageContext): string {
  const facts = knownFacts(use, context);
  const description = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return context.texts.newDevice.used({ ...factsOf(context), when: timeOf(use, context), description });
}

function listOf(uses: readonly DeviceUse[], context: MessageContext): string[] {
  const { newDevice: texts } = context.texts;
  const lines = uses.map((use) => {
    const device = knownFacts(use, context).join(', ') || texts.unknown;
    return `• ${texts.listed({ device, when: timeOf(use, context) })}`;
  });
  return [texts.usedBySeveral(factsOf(context)), ...lines];
}

function knownFacts({ device, ipAddress }: DeviceUse, { texts }: MessageContext): string[] {
  const name = device !== null && isPlainName(device) ? [device] : [];
  return [...name, ...(ipAddress === null ? [] : [texts.newDevice.address(ipAddress)])];
}

const timeOf = ({ at }: DeviceUse, { occurredAt, texts }: MessageContext): string =>
  texts.times.on(at === undefined ? occurredAt : new Date(at));
