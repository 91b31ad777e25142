import { directionOf, type Locale } from '../../kernel/locale.js';
import type { MailBrand } from '../mail-brand.js';
import type { Block, Link } from './block.js';
import { escapeHtml, oneLine } from './plain-text.js';

interface PageParts {
  locale: Locale;
  title: string;
  /** The text that lists of mails show beside the subject. */
  preview: string;
  blocks: readonly Block[];
  footer: string;
  /** The link to the help of the operator. */
  support: Link | undefined;
  /** What precedes the address of a link. */
  orOpen: string;
}

// Text and plain links have the reader's own colours and no background is set, so everything is legible in light and in
// dark, also in mail programs that change colours. Both colours of the button are fixed.
const PARAGRAPH = 'margin:0 0 16px;overflow-wrap:anywhere';
const BODY =
  'margin:0;padding:24px;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5';
const HEADER = 'margin:0 0 24px;padding:0 0 12px;font-size:20px;font-weight:700;overflow-wrap:anywhere';
/** Hidden in the mail itself; `mso-hide` is for Outlook. */
const PREVIEW = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
const MARK =
  'display:inline-block;width:32px;height:32px;border-radius:8px;font-size:18px;line-height:32px;text-align:center;vertical-align:middle';
const FOOTER = 'margin:32px 0 0;font-size:14px;overflow-wrap:anywhere';

/** Returns the HTML part of a mail. It loads nothing but the logo. */
export const page = (
  { locale, title, preview, blocks, footer, support, orOpen }: PageParts,
  brand: MailBrand,
): string => `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="${BODY}">
<div style="${PREVIEW}">${escapeHtml(oneLine(preview))}</div>
<div style="max-width:560px;margin:0 auto">
${header(brand, locale)}
${blocks.map((block) => blockHtml(block, brand, orOpen)).join('\n')}
<p style="${FOOTER}">${escapeHtml(footer)}${support === undefined ? '' : `<br>${plainLink(support)}`}</p>
</div>
</body>
</html>
`;

const plainLink = ({ label, url }: Link): string =>
  `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a>`;

/** The rule below has the accent, because it holds no text. Without a logo, the mark precedes the name, as on the pages. */
function header({ name, logoUrl, initial, button }: MailBrand, locale: Locale): string {
  const shown = escapeHtml(oneLine(name));
  const content =
    logoUrl === undefined
      ? `${mark(initial, button, locale)}${shown}`
      : `<img src="${escapeHtml(logoUrl)}" alt="${shown}" height="40" style="display:block;max-width:100%;height:40px">`;
  return `<p style="${HEADER};border-bottom:3px solid ${button.accent}">${content}</p>`;
}

const mark = (initial: string, { accent, onAccent }: MailBrand['button'], locale: Locale): string => {
  const after = directionOf(locale) === 'rtl' ? 'left' : 'right';
  return `<span aria-hidden="true" style="${MARK};margin-${after}:12px;background-color:${accent};color:${onAccent}">${escapeHtml(initial)}</span>`;
};

function blockHtml(block: Block, { button }: MailBrand, orOpen: string): string {
  if (typeof block === 'string') return `<p style="${PARAGRAPH}">${escapeHtml(oneLine(block))}</p>`;
  const url = escapeHtml(block.url);
  const style = block.isSecondary ? SECONDARY : buttonStyle(button);
  return [
    `<p style="${PARAGRAPH}"><a href="${url}" style="${style}">${escapeHtml(block.label)}</a></p>`,
    `<p style="${PARAGRAPH};font-size:14px;word-break:break-all">${escapeHtml(orOpen)}<br>`,
    `<a href="${url}" style="color:inherit">${url}</a></p>`,
  ].join('\n');
}

const SECONDARY = 'color:inherit;font-weight:600';

const buttonStyle = ({ accent, onAccent }: MailBrand['button']): string =>
  `display:inline-block;padding:12px 20px;border-radius:6px;background-color:${accent};color:${onAccent};font-weight:600;text-decoration:none`;
