import { describe, expect, it } from 'vitest';
import { mailBrand } from '../../../../test/support/mail-brand.js';
import { mailComposer } from '../../../../test/support/mail-composer.js';
import { MAIL_VARIANTS } from '../../../../test/support/mail-variants.js';
import { LOCALES } from '../kernel/locale.js';
import type { Settings } from '../settings/settings.js';
import type { MailContent } from './mail-content.js';
import { MAIL_KINDS, type QueuedMail } from './mail-kind.js';
import type { MailSources } from './mail-source.js';
import { contextIn } from './messages/localized-context.js';
import { escapeHtml } from './messages/plain-text.js';

const HELP = 'https://example.com/help?from=mail&topic=sign-in';
const BRAND: Partial<Settings['brand']> = {
  name: 'ledger & Co',
  links: { terms: undefined, privacy: undefined, support: HELP },
};

const EVERY_MAIL = MAIL_KINDS.flatMap((kind) =>
  (MAIL_VARIANTS[kind] as readonly { payload: object; completion?: object }[]).flatMap((variant, index) =>
    LOCALES.map((locale) => ({ kind, index, locale, ...variant })),
  ),
);

async function composed(
  { kind, locale, payload, completion }: (typeof EVERY_MAIL)[number],
  brand = BRAND,
): Promise<MailContent> {
  const source = { complete: () => Promise.resolve(completion) };
  const sources = completion && ({ [kind]: source } as unknown as Partial<MailSources>);
  const createdAt = new Date('2026-11-20T14:05:00Z');
  const mail = { id: 'm-1', kind, recipient: 'ada@example.com', payload, locale, attempts: 1, createdAt };
  const content = await mailComposer(sources, mailBrand(brand)).compose(mail as QueuedMail);
  if (content === 'skip') throw new Error('unexpectedly skipped');
  return content;
}

/** The paragraphs of the plain text, each on one line. */
const paragraphsOf = ({ text }: MailContent): string[] =>
  text.split('\n\n').map((paragraph) => paragraph.replaceAll('\n', ' '));

const hiddenIn = (html: string): string[] =>
  [...html.matchAll(/<div style="display:none[^"]*">([^<]*)<\/div>/g)].map(([, text = '']) => text);

describe.each(EVERY_MAIL)('the HTML of a mail of kind $kind, variant $index, in $locale', (mail) => {
  it('begins with a hidden preview: the first sentence after the greeting', async () => {
    const content = await composed(mail);
    const [preview = '', ...others] = hiddenIn(content.html);
    const [greeting = '', first = ''] = paragraphsOf(content);
    expect(others).toEqual([]);
    expect(preview).toBe(escapeHtml(first));
    expect(content.html.indexOf(preview)).toBeLessThan(content.html.indexOf(escapeHtml(greeting)));
  });

  it('has the first letter of the brand as its mark, and none beside a logo', async () => {
    const { html } = await composed(mail);
    expect(html).toMatch(/<span aria-hidden="true" [^>]+>L<\/span>ledger &amp; Co<\/p>/);
    const branded = await composed(mail, { ...BRAND, logoPath: '/brand/logo.png' });
    expect(branded.html).not.toContain('aria-hidden');
  });

  it('has the link to the help where it has another link, and a notice has none', async () => {
    const content = await composed(mail);
    const { support } = contextIn(mail.locale, {
      brand: mailBrand(BRAND),
      occurredAt: new Date(0),
    }).texts.frame;
    const link = `<a href="${escapeHtml(HELP)}" style="color:inherit">${support}</a>`;
    if (content.links.length > 0) expect(content.html).toContain(link);
    else expect(content.html).not.toContain('<a ');
    expect(content.text).not.toContain(HELP);
    const without = await composed(mail, {
      ...BRAND,
      links: { ...BRAND.links, support: undefined } as never,
    });
    expect(without.html).not.toContain(support);
  });

  it('names the zone of every time of day', async () => {
    const { text } = await composed(mail);
    const times = [...text.replaceAll('\n', ' ').matchAll(/\b\d{1,2}:\d{2}\b(?<after>(?: Uhr)?[ (]*\w*)/g)];
    for (const { groups } of times) expect(groups?.after).toMatch(/ \(?UTC$/);
  });
});
