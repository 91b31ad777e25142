import { isPlainName } from '../../kernel/plain-name.js';
import type { MailBrand } from '../mail-brand.js';
import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { page } from './html-page.js';
import { oneLine, wrap } from './plain-text.js';

/** The content of a mail as plain text: the layout does all escaping. */
export interface MessageParts {
  subject: string;
  /** The recipient's name as they typed it; null when it is unknown or the mailbox may belong to another person. */
  name: string | null;
  /** The reason for the mail to this address, as the clause after "because". */
  reason: string;
  blocks: Block[];
}

/** The facts that every message may use besides its payload. */
export interface MessageContext {
  brand: MailBrand;
  /** The time at which the mail was queued, that is, of its cause. */
  occurredAt: Date;
}

/** Lays out a mail: plain text, and HTML that follows the light or dark scheme. */
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

/** Users type their names themselves, so a name that could be mistaken for part of the mail is left out. */
function greeting(name: string | null): string {
  const known = name?.trim() ?? '';
  return isPlainName(known) ? `Hello ${known},` : 'Hello,';
}

function blockText(block: Block): string {
  return typeof block === 'string' ? wrap(oneLine(block)) : `${block.label}:\n\n${block.url}`;
}
