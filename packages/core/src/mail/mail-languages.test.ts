import { describe, expect, it } from 'vitest';
import { mailBrand } from '../../../../test/support/mail-brand.js';
import { mailComposer } from '../../../../test/support/mail-composer.js';
import { MAIL_VARIANTS } from '../../../../test/support/mail-variants.js';
import { LOCALES, type Locale } from '../kernel/locale.js';
import type { MailContent } from './mail-content.js';
import { MAIL_KINDS, type MailKind, type QueuedMail } from './mail-kind.js';
import type { MailSources } from './mail-source.js';
import { contextIn } from './messages/localized-context.js';
import { MAIL_TEXTS } from './messages/mail-texts.js';
import { testMailMessage } from './messages/test-mail.js';

interface AnyVariant {
  payload: object;
  completion?: object;
}

interface Languages {
  /** That of the recipient's account. */
  locale?: string | null;
  defaultLocale?: Locale;
}

async function composed(
  kind: MailKind,
  { payload, completion }: AnyVariant,
  { locale = null, defaultLocale = 'en' }: Languages,
): Promise<MailContent> {
  const source = { complete: () => Promise.resolve(completion) };
  const sources = completion && ({ [kind]: source } as unknown as Partial<MailSources>);
  const createdAt = new Date('2026-11-20T14:05:00Z');
  const mail = { id: 'm-1', kind, recipient: 'ada@example.com', payload, locale, attempts: 1, createdAt };
  const content = await mailComposer(sources, mailBrand(), defaultLocale).compose(mail as QueuedMail);
  if (content === 'skip') throw new Error('unexpectedly skipped');
  return content;
}

const EVERY_VARIANT = MAIL_KINDS.flatMap((kind) =>
  (MAIL_VARIANTS[kind] as readonly AnyVariant[]).map((variant) => ({
    kind,
    variant,
    what: JSON.stringify({ ...variant.payload, ...variant.completion }),
  })),
);

/** The paragraphs of a mail that are no link, on one line each. */
const paragraphsOf = ({ text, links }: MailContent): string[] =>
  text
    .trim()
    .split('\n\n')
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .filter((paragraph) => !links.includes(paragraph));

describe.each(EVERY_VARIANT)('a mail of kind $kind with $what', ({ kind, variant }) => {
  it.each(LOCALES)('is complete in %s', async (locale) => {
    const content = await composed(kind, variant, { locale });
    const { subject, text, html, links } = content;
    expect(content.locale).toBe(locale);
    expect(html).toContain(`<html lang="${locale}" dir="ltr">`);
    for (const part of [subject, ...paragraphsOf(content)]) expect(part.trim()).not.toBe('');
    expect(subject + text).not.toMatch(/[{}$]|\b(?:undefined|null|NaN)\b|\[object/);
    const long = text.split('\n').filter((line) => line.length > 72);
    expect(long).toEqual(links.filter((link) => link.length > 72));
  });

  it('has no sentence in common with another language', async () => {
    const english = await composed(kind, variant, { locale: 'en' });
    const german = await composed(kind, variant, { locale: 'de' });
    expect(german.subject).not.toBe(english.subject);
    expect(german.links).toEqual(english.links);
    const [one, other] = [paragraphsOf(english), paragraphsOf(german)];
    expect(other).toHaveLength(one.length);
    expect(other.filter((paragraph) => one.includes(paragraph))).toEqual([]);
  });
});

it('no text of another language is empty or the English one', () => {
  for (const locale of LOCALES.filter((each) => each !== 'en')) {
    const same = textsOf(MAIL_TEXTS[locale]).filter(
      ([path, text]) => text.trim() === '' || text === new Map(textsOf(MAIL_TEXTS.en)).get(path),
    );
    expect(same).toEqual([]);
  }
});

it('the test mail of operators is in the language of the service', () => {
  const facts = { brand: mailBrand(), occurredAt: new Date('2026-11-20T14:05:00Z') };
  expect(testMailMessage(contextIn('en', facts)).text).toContain('An operator sent this test');
  expect(testMailMessage(contextIn('de', facts))).toMatchObject({
    locale: 'de',
    subject: 'Test-E-Mail von Latchkey',
    text: expect.stringMatching(/^Guten Tag,\n/) as string,
  });
});

describe('the language of a mail', () => {
  const [invitation] = MAIL_VARIANTS.invitation as [AnyVariant, ...AnyVariant[]];
  const withLocale = (locale: unknown): AnyVariant => ({
    ...invitation,
    payload: { ...invitation.payload, locale },
  });

  it.each([
    { account: 'de', invited: 'en', service: 'en', language: 'de', which: 'the account' },
    { account: null, invited: 'de', service: 'en', language: 'de', which: 'the invitation' },
    { account: null, invited: null, service: 'de', language: 'de', which: 'the service' },
    { account: 'fr', invited: 'de', service: 'en', language: 'de', which: 'the invitation' },
    { account: 'fr', invited: 'xx', service: 'de', language: 'de', which: 'the service' },
  ] as const)(
    'is that of $which for an account with $account, an invitation in $invited and a service in $service',
    async ({ account, invited, service, language }) => {
      const mail = await composed('invitation', withLocale(invited), {
        locale: account,
        defaultLocale: service,
      });
      expect(mail.locale).toBe(language);
    },
  );

  it('is that of the service for a mail that a former version queued', async () => {
    const mail = await composed('invitation', invitation, { defaultLocale: 'de' });
    expect(mail.subject).toBe('Sie sind eingeladen, Acme auf Latchkey beizutreten');
  });
});

/** Returns the texts that are no functions, each with its path. */
function textsOf(texts: object, path = ''): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text === 'string') return [[`${path}${name}`, text] as [string, string]];
    return typeof text === 'object' && text !== null ? textsOf(text as object, `${path}${name}.`) : [];
  });
}
