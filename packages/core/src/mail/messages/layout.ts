import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mailer.js';
import { escapeHtml, oneLine, wrap } from './plain-text.js';

/** A paragraph, or a link that stands alone. */
export type Block = string | { label: string; url: string };

/** What a kind of mail says. All of it is plain text: the layout does every escaping. */
export interface MessageParts {
  subject: string;
  /** The recipient's name as they typed it; null when it is unknown or the mailbox may be somebody else's. */
  name: string | null;
  blocks: Block[];
}

/** What every message may speak of besides its payload. */
export interface MessageContext {
  brandName: string;
  /** When the mail was queued, that is when its cause happened. */
  occurredAt: Date;
}

/** The one layout of all mails: plain text for terminals, HTML that follows light and dark. */
export function layOut(parts: MessageParts, context: MessageContext): MailContent {
  const subject = oneLine(parts.subject);
  const blocks = [greeting(parts.name), ...parts.blocks];
  const footer = `Sent by ${oneLine(context.brandName)}.`;
  return {
    subject,
    text: [...blocks.map(blockText), `-- \n${footer}`].join('\n\n') + '\n',
    html: page(subject, blocks.map(blockHtml).join('\n'), footer),
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

// Text and plain links take the reader's own colours, so they are legible on any background. The button brings both
// of its colours: white on this blue has a contrast of 6.7 to 1.
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background-color:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none';
const PARAGRAPH = 'margin:0 0 16px';
const BODY =
  'margin:0;padding:24px;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5';

function blockHtml(block: Block): string {
  if (typeof block === 'string') return `<p style="${PARAGRAPH}">${escapeHtml(oneLine(block))}</p>`;
  const url = escapeHtml(block.url);
  return [
    `<p style="${PARAGRAPH}"><a href="${url}" style="${BUTTON}">${escapeHtml(block.label)}</a></p>`,
    `<p style="${PARAGRAPH};font-size:14px;word-break:break-all">Or open this address:<br>`,
    `<a href="${url}" style="color:inherit">${url}</a></p>`,
  ].join('\n');
}

function page(title: string, content: string, footer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="${BODY}">
<div style="max-width:560px;margin:0 auto">
${content}
<p style="margin:32px 0 0;font-size:14px">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`;
}
