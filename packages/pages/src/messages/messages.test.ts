import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Texts by their path, such as `loginMessages.title`. Functions are called with numbers, or else with words. */
type Texts = Map<string, string>;

/** Texts that are the same in both languages, and parts that German grammar leaves out. */
const SAME = ['acceptInvitationScriptMessages.role', 'bulkMessages.failure'];
/** Words that German shares with English: names of products and roles, and loanwords. */
const SHARED =
  /^(?:\d+ ms|Admin|Code|Google|Live|Microsoft|Moderator|Name|Optional|Passkeys?|PostgreSQL|Redis|SMTP|Status|Superadmin|Test|Version|Webhooks)$/i;
const LEFT_OUT = ['acceptInvitationScriptMessages.article'];
/** German words that address a friend. */
const FAMILIAR = /\b(?:du|dich|dir|dein|deine[rmns]?|euch|euer)\b/i;

const filesOf = (locale: string): string[] =>
  readdirSync(new URL(`${locale}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();

const AREAS = filesOf('en');

async function textsOf(locale: string, file: string): Promise<Texts> {
  const module = (await import(new URL(`${locale}/${file}`, import.meta.url).href)) as Record<
    string,
    unknown
  >;
  return new Map(Object.entries(module).flatMap(([name, value]) => flattened(name, value)));
}

function flattened(path: string, value: unknown): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, called(value as (...args: unknown[]) => unknown)]];
  return Object.entries(value as object).flatMap(([name, each]) => flattened(`${path}.${name}`, each));
}

function called(text: (...args: unknown[]) => unknown): string {
  try {
    return String(text(2, 3, 4));
  } catch {
    return String(text('Alpha', 'Beta', 'Gamma'));
  }
}

const placesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

it('every area of texts is in each language', () => {
  expect(filesOf('de')).toEqual(AREAS);
  expect(AREAS.length).toBeGreaterThan(7);
});

describe.each(AREAS)('the texts of %s', (file) => {
  it('are translated, each of them', async () => {
    const [english, german] = [await textsOf('en', file), await textsOf('de', file)];
    expect([...german.keys()]).toEqual([...english.keys()]);
    const same = [...english].filter(
      ([path, text]) => german.get(path) === text && !SAME.includes(path) && !SHARED.test(text),
    );
    expect(same).toEqual([]);
    const empty = [...english, ...german].filter(
      ([path, text]) => text.trim() === '' && !LEFT_OUT.includes(path),
    );
    expect(empty).toEqual([]);
  });

  it('have the same places to fill in', async () => {
    const [english, german] = [await textsOf('en', file), await textsOf('de', file)];
    for (const [path, text] of english) {
      const expected = placesIn(text).filter((place) => place !== '{article}');
      // The button of an invitation names the company in English only.
      if (path !== 'acceptInvitationMessages.join')
        expect([path, placesIn(german.get(path) ?? '')]).toEqual([path, expected]);
    }
  });

  it('address the reader formally in German', async () => {
    const familiar = [...(await textsOf('de', file))].filter(([, text]) => FAMILIAR.test(text));
    expect(familiar).toEqual([]);
  });
});
