import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import type { Block } from './block.js';
import { layOut } from './layout.js';
import type { MailTexts } from './mail-texts.js';
import { factsOf, type MessageContext } from './message-context.js';

export interface EmailChangedPayload {
  /** The change that a link undoes; null if there is none. */
  changeId: string | null;
  /** Null unless the mailbox was the user's. */
  fullName: string | null;
  /** The owner by a confirmed change, an administrator, or the link that undoes a change. */
  by: 'owner' | 'administrator' | 'undo';
  /** The language of the user, who no longer has the address. Missing in mail that a former version queued. */
  locale?: string | null;
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
    const { emailChanged, notice } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: emailChanged.subject(facts),
      name: fullName,
      reason: notice.reason,
      blocks: [emailChanged[by](facts), ...advice(by, undo, context.texts)],
    };
    return layOut(parts, context);
  },
} as const;

function advice(
  by: EmailChangedPayload['by'],
  undo: OneTimeLink | undefined,
  { emailChanged: texts, notice, times }: MailTexts,
): Block[] {
  if (by === 'undo') return [texts.undoneByOwner];
  if (!undo) return [texts.unexpected];
  return [
    notice.wasYou,
    texts.wasNotYou,
    { label: texts.undoChange, url: undo.url },
    texts.expiry({ lifetime: times.lifetime(undo.lifetime) }),
  ];
}
