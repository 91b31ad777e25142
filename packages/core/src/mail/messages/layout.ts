import { isPlainName } from '../../kernel/plain-name.js';
import type { MailBrand } from '../mail-brand.js';
import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { page } from './html-page.js';
import { oneLine, wrap } from './plain-text.js';

/** What a kind of mail says. All of it is plain text: the layout does every escaping. */
export interface MessageParts {
  subject: string;
  /** The recipient's name as they typed it; null when it is unknown or the mailbox may be somebody else's. */
  name: string | null;
  /** Why the mail was sent to this address: what follows "because". */
  reason: string;
  blocks: Block[];
}

/** What every message may speak of besides its payload. */
export interface MessageContext {
  brand: MailBrand;
  /** When the mail was queued, that is when its cause happened. */
  occurredAt: Date;
}

/** The one layout of all mails: plain text for terminals, HTML that follows light and dark. */
export function layOut(parts: MessageParts, { brand }: MessageContext): MailContent {
  const subject = oneLine(parts.subject);
  const blocks = [greeting(parts.name), ...parts.blocks];
  const footer = `Sent by ${oneLine(brand.name)}. You receive this email because ${parts.reason}.`;
  return {
    subject,
    text: [...blocks.map(blockText), `-- \n${wrap(footer)}`].join('\n\n') + '\n',
    html: page({ title: subject, blocks, footer }, brand),
    links: parts.blocks.flatMap((block) => (typeof block === 'string' ? [] : [block.url])),
  };
}

/** Users type their names themselves, so a text that could pass for part of the mail is left out. */
function greeting(name: string | null): string {
  const known = name?.trim() ?? '';
  return isPlainName(known) ? `Hello ${known},` : 'Hello,';
}

function blockText(block: Block): string {
  return typeof block === 'string' ? wrap(oneLine(block)) : `${block.label}:\n\n${block.url}`;
}
