import { describe, expect, it } from 'vitest';
import { runExample } from './example-run.js';

const run = (code: string, scope = {}) => runExample(code, { expect, ...scope });

describe('an example', () => {
  it.each([
    'const sum: number = 1 + 1; // → 2',
    'twice(2); // → 4',
    '(await Promise.resolve({ a: [1] })); // → { a: [1] }',
    "fail('x'); // →! /no x/",
    "await failLater('x'); // →! 'no x'",
    "import { twice } from 'somewhere';\nconst four = twice(2);\nfour; // → 4",
  ])('holds where its arrows point at what comes: %j', async (code) => {
    await run(code, { twice, fail, failLater });
  });

  it.each([
    ['const sum = 1 + 1; // → 3', /expected 2 to deeply equal 3/],
    ["twice(2); // →! 'x'", /resolved/],
    ["fail('x'); // →! /no y/", /no x/],
    ['nowhere(1); // → 1', /nowhere is not defined/],
  ])('fails otherwise: %j', async (code, reason) => {
    await expect(run(code, { twice, fail, failLater })).rejects.toThrow(reason);
  });
});

const twice = (value: number): number => value * 2;

function fail(what: string): never {
  throw new Error(`no ${what}`);
}

const failLater = (what: string): Promise<never> => Promise.reject(new Error(`no ${what}`));
