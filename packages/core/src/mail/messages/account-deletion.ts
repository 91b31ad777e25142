import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export interface AccountDeletionPayload {
  /** Null if no user has the address. Such mail is queued all the same, so that the response reveals nothing. */
  userId: string | null;
  fullName: string | null;
}

/** The link that undoes a deletion, and the time until which it does. */
export interface DeletionLink {
  url: string;
  deleteAt: Date;
}

export const accountDeletionMail = {
  kind: 'account_deletion',
  completedBy: 'link and time',
  compose(
    { fullName }: AccountDeletionPayload,
    context: MessageContext,
    { url, deleteAt }: DeletionLink,
  ): MailContent {
    const { accountDeletion: texts, times } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: fullName,
      reason: texts.reason,
      blocks: [
        texts.requested({ ...facts, deleteAt: times.on(deleteAt) }),
        texts.until,
        { label: texts.keep, url },
        texts.wasNotYou,
      ],
    };
    return layOut(parts, context);
  },
} as const;
