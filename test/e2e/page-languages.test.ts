import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsOf, openPage, type HtmlPage } from '../support/html-page.js';
import { startTestService, type TestService } from '../support/service.js';

const PAGES = [
  '/login',
  '/login?returnTo=/accept-invitation',
  '/register',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/reject-registration',
  '/change-email',
  '/undo-email-change',
];
/** Texts that are no words of a language. */
const SAME = /^(?:Latchkey|\W*)$/;
/** Attributes that are read aloud or shown. */
const SPOKEN = ['aria-label', 'alt', 'title', 'placeholder', 'data-busy'];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    env: (port) => ({
      PASSKEYS_ENABLED: 'true',
      WEBAUTHN_RP_ID: 'localhost',
      WEBAUTHN_ORIGINS: `http://localhost:${port}`,
      AUTH_BASE_URL: `http://localhost:${port}`,
      TERMS_URL: '/terms',
      PRIVACY_URL: '/privacy',
      SUPPORT_URL: '/help',
    }),
  });
  // Without one, the pages show the command that creates one.
  await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
});
afterAll(() => service.stop());

const open = (path: string, locale: string): Promise<HtmlPage> =>
  openPage(service.client, path, { headers: { 'accept-language': locale } });

/** Returns all texts of a page, of hidden views too. */
function textsOf({ html, tags }: HtmlPage): string[] {
  const texts = html.replace(/^[^]*<title>/, '').split(/<[^>]*>| · /);
  const spoken = tags.flatMap(({ attributes }) => SPOKEN.flatMap((name) => attributes.get(name) ?? []));
  return [...new Set([...texts, ...spoken].map((text) => text.trim()))].filter((text) => !SAME.test(text));
}

/** Returns the texts that scripts show, in English. */
async function scriptTexts(): Promise<string[]> {
  const folder = new URL('../../packages/pages/src/messages/en/', import.meta.url);
  const modules = await Promise.all(
    readdirSync(folder).map(
      async (file) => (await import(new URL(file, folder).href)) as Record<string, unknown>,
    ),
  );
  // A single word may be the same in both languages.
  return modules.flatMap((module) => stringsIn(module)).filter((text) => text.includes(' '));
}

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

async function scriptOf(page: HtmlPage): Promise<string> {
  const path = assetsOf(page).find((asset) => asset.endsWith('.js')) ?? '';
  return (await service.client.send('GET', path)).text;
}

describe.each(PAGES)('%s in German', (path) => {
  it('the page has no English text, and no text without its values', async () => {
    const [english, german] = [textsOf(await open(path, 'en')), textsOf(await open(path, 'de'))];
    expect(german.filter((text) => english.includes(text))).toEqual([]);
    expect(german.length).toBeGreaterThan(3);
    expect([...english, ...german].filter((text) => /[{}]|undefined|\[object/.test(text))).toEqual([]);
  });

  it('the script shows no English text', async () => {
    const [english, german] = [
      await scriptOf(await open(path, 'en')),
      await scriptOf(await open(path, 'de')),
    ];
    const inQuotes = (text: string): string[] => [`"${text}"`, `'${text}'`, `\`${text}\``];
    const has = (script: string) => (text: string) =>
      inQuotes(text).some((quoted) => script.includes(quoted));
    const texts = await scriptTexts();
    expect(texts.filter(has(german))).toEqual([]);
    expect(texts.filter(has(english)).length).toBeGreaterThan(5);
  });
});
