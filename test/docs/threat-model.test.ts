import { describe, expect, it } from 'vitest';
import { promisesOf, promisesSection, threatModelPage, titlesIn } from '../support/threat-model.js';

const page = threatModelPage();
const promises = promisesOf(page);

it('the page makes promises', () => {
  expect(promises.length).toBeGreaterThan(60);
});

it('the page has a section for each area', () => {
  expect(new Set(promises.map(({ section }) => section)).size).toBeGreaterThan(7);
  expect(promisesSection(page).match(/^### /gm)).toHaveLength(
    new Set(promises.map(({ section }) => section)).size,
  );
});

it('each promise names a test', () => {
  expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

describe('the lists are read completely:', () => {
  const pageWith = (lines: string): string => `## Promises\n\n### Tokens\n\n${lines}\n\n## Limitations\n`;

  it('a promise is read with its tests', () => {
    expect(promisesOf(pageWith('- A promise.\n  - [jwt](../test/e2e/jwt.test.ts): a token › is'))).toEqual([
      {
        section: 'Tokens',
        promise: 'A promise.',
        tests: [{ file: 'test/e2e/jwt.test.ts', title: 'a token › is' }],
      },
    ]);
  });

  it.each([
    ['a test above the first promise', '  - [jwt](../test/e2e/jwt.test.ts): a token'],
    ['a line without a bullet', '- A promise.\n  [jwt](../test/e2e/jwt.test.ts): a token'],
    ['a test without a link', '- A promise.\n  - jwt: a token'],
    ['a row of a table', '| A promise. | [jwt](../test/e2e/jwt.test.ts): a token |'],
  ])('%s is an error', (_case, lines) => {
    expect(() => promisesOf(pageWith(lines))).toThrow();
  });
});

it('no promise is made twice', () => {
  const texts = promises.map(({ promise }) => promise);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

describe('the test that proves a promise exists:', () => {
  const named = promises.flatMap(({ tests }) => tests);
  it.each(named)('$file › $title', ({ file, title }) => {
    expect(titlesIn(file)).toContain(title);
  });
});
