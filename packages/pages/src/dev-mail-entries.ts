import type { InboxMail } from '@latchkey/core';
import type { InboxEntry } from './dev-mail-entry.js';

const PREVIEW_CHARACTERS = 90;

/** Returns the mails whose recipient, subject, kind or text contains the searched text, in any case; else all. */
export function inboxEntries(mails: readonly InboxMail[], search: unknown): InboxEntry[] {
  const wanted = typeof search === 'string' ? search.trim().toLowerCase() : '';
  return mails.filter((mail) => contentOf(mail).includes(wanted)).map(entryOf);
}

const contentOf = ({ to, subject, kind, text }: InboxMail): string =>
  [to, subject, kind, text].join('\n').toLowerCase();

function entryOf({ id, to, subject, kind, text, receivedAt }: InboxMail): InboxEntry {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  const preview =
    words.length <= PREVIEW_CHARACTERS
      ? words
      : `${words.slice(0, PREVIEW_CHARACTERS).replace(/\s+\S*$/, '')} …`;
  return { id, to, subject, kind, preview, receivedAt: receivedAt.toISOString() };
}
