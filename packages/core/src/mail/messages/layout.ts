import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { page } from './html-page.js';
import type { MessageContext } from './message-context.js';
import { oneLine, wrap } from './plain-text.js';

/** The content of a mail as plain text: the layout does all escaping. */
interface MessageParts {
  subject: string;
  /** The recipient's name as they typed it; null when it is unknown or the mailbox may belong to another person. */
  name: string | null;
  /** The reason for the mail to this address, as the clause after "because". */
  reason: string;
  blocks: Block[];
}

/** Lays out a mail: plain text, and HTML that follows the light or dark scheme. */
export function layOut(parts: MessageParts, { brand, locale, texts }: MessageContext): MailContent {
  const subject = oneLine(parts.subject);
  const blocks = [texts.frame.greeting(greetedName(parts.name)), ...parts.blocks];
  const preview = parts.blocks.find((block) => typeof block === 'string') ?? subject;
  const links = parts.blocks.flatMap((block) => (typeof block === 'string' ? [] : [block.url]));
  // A notice has no links at all: those of warnings train people to follow phishing mail.
  const support =
    links.length > 0 && brand.supportUrl !== undefined
      ? { label: texts.frame.support, url: brand.supportUrl }
      : undefined;
  const footer = texts.frame.footer({ product: oneLine(brand.name), reason: parts.reason });
  return {
    locale,
    subject,
    text: [...blocks.map(blockText), `-- \n${wrap(footer)}`].join('\n\n') + '\n',
    html: page(
      { locale, title: subject, preview, blocks, footer, support, orOpen: texts.frame.orOpen },
      brand,
    ),
    links,
  };
}

/** Users type their names themselves, so a name that could be mistaken for part of the mail is left out. */
function greetedName(name: string | null): string | null {
  const known = name?.trim() ?? '';
  return isPlainName(known) ? known : null;
}

function blockText(block: Block): string {
  return typeof block === 'string' ? wrap(oneLine(block)) : `${block.label}:\n\n${block.url}`;
}
