import { describe, expect, it } from 'vitest';
import { readTextFiles } from './support/vocabulary/text-files.js';
import { openingsOf, replacedWords } from './support/vocabulary/word-rules.js';

const files = readTextFiles();

/** The share of doc comments that may open with a free relative: sometimes it is the plainest way to say it. */
const FREE_RELATIVES = 0.04;

describe('the words of the repository', () => {
  it('are read from code, tests, pages and manifests', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'README.md',
        'docs/errors.md',
        'packages/core/src/index.ts',
        'test/vocabulary.test.ts',
      ]),
    );
  });

  it('are those of the field', () => {
    expect(replacedWords(files)).toEqual([]);
  });

  it('begin fewer than 4 % of the doc comments with a free relative', () => {
    const { comments, freeRelatives } = openingsOf(files);
    expect(comments).toBeGreaterThan(2_000);
    expect(freeRelatives.length / comments, freeRelatives.join('\n')).toBeLessThan(FREE_RELATIVES);
  });
});

describe('the rule on words', () => {
  it.each([
    ['docs/planted.md', 'The caller is told why.', 'told'],
    ['docs/planted.md', 'Nobody may do this.', 'Nobody'],
    ['docs/planted.md', 'When the database is away, requests wait.', 'is away'],
    ['packages/core/src/planted.ts', 'const sessionOpener = 1;', 'Opener'],
    ['test/planted.test.ts', "it('mends itself', () => {});", 'mends'],
  ])('finds the word in %s: %s', (path, text, word) => {
    expect(replacedWords([{ path, text }])).toEqual([expect.stringContaining(`${path}:1 "${word}"`)]);
  });

  it.each([
    ['docs/planted.md', 'Names tell them apart. `lk_` stands for Latchkey. The library is loaded on demand.'],
    ['packages/core/src/planted.ts', 'const standalone = Math.floor(window.opener ? 1 : 2);'],
    ['docs/planted.md', 'Call the gateway; the client understands it.'],
  ])('accepts in %s: %s', (path, text) => {
    expect(replacedWords([{ path, text }])).toEqual([]);
  });

  it('counts how doc comments begin', () => {
    const text = '/** What it does. */\n/**\n * Whether it does.\n */\n/** Returns the user. */\n/* Who */';
    expect(openingsOf([{ path: 'packages/core/src/planted.ts', text }])).toEqual({
      comments: 3,
      freeRelatives: [
        'packages/core/src/planted.ts: What it does. */',
        'packages/core/src/planted.ts: Whether it does.',
      ],
    });
  });
});
