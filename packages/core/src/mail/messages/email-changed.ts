import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import type { Block } from './block.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime, moment } from './moment.js';

export interface EmailChangedPayload {
  /** The change that a link undoes; null if there is none. */
  changeId: string | null;
  /** Null unless the mailbox was the user's. */
  fullName: string | null;
  /** The owner by a confirmed change, an administrator, or the link that undoes a change. */
  by: 'owner' | 'administrator' | 'undo';
}

/** The link that undoes the change; missing if it cannot be undone. */
export interface UndoLink {
  undo?: OneTimeLink;
}

/** The notice to the former address. It does not contain the new one. */
export const emailChangedMail = {
  kind: 'email_changed',
  completedBy: 'link',
  compose({ fullName, by }: EmailChangedPayload, context: MessageContext, { undo }: UndoLink): MailContent {
    const { name } = context.brand;
    const parts = {
      subject: `The email address of your ${name} account was changed`,
      name: fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `${WHAT[by](name)} ${moment(context.occurredAt)}. It no longer uses this address.`,
        ...advice(by, undo),
      ],
    };
    return layOut(parts, context);
  },
} as const;

const WHAT: Record<EmailChangedPayload['by'], (name: string) => string> = {
  owner: (name) => `The email address of your ${name} account was changed`,
  administrator: (name) => `An administrator changed the email address of your ${name} account`,
  undo: (name) => `A change of the email address of a ${name} account was undone`,
};

function advice(by: EmailChangedPayload['by'], undo: OneTimeLink | undefined): Block[] {
  if (by === 'undo') return ['The owner of the former address asked for that. There is nothing to do.'];
  if (!undo) return ['If you did not expect this, contact your administrator.'];
  return [
    'If this was you, there is nothing to do.',
    'If it was not you, someone else has access to your account. Undo the change: your address is restored, everyone is signed out, and you choose a new password.',
    { label: 'Undo the change', url: undo.url },
    `This link expires in ${lifetime(undo.lifetime)} and can be used once.`,
  ];
}
