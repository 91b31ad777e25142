import { describe, expect, it } from 'vitest';
import { promisesOf, promisesSection, threatModelPage, titlesIn } from '../support/threat-model.js';

const page = threatModelPage();
const promises = promisesOf(page);

it('the page makes promises', () => {
  expect(promises.length).toBeGreaterThan(60);
});

it('each table begins with a promise', () => {
  const section = promisesSection(page);
  expect(section.match(/^\| promise/gm)?.length).toBeGreaterThan(7);
  expect(section).not.toMatch(/^\| -+ *\| -+ *\|\n\| +\|/m);
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
