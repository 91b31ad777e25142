import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { libraryDocument } from '../scripts/documents/library.js';
import { METHOD_OF_ROUTE } from '../scripts/documents/use-cases.js';
import { CORE_CALLS } from './support/core-calls.js';
import { nameOf } from './support/route-request.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/library.md');

/** Without what formatting adds to a table. */
const unaligned = (markdown: string): string =>
  markdown.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').trim();

const rows = page.split('\n').filter((line) => /^\|.*`[\w.]+\(/.test(line));

/** `users.list`, as a call of it ends; how one comes to `passkeys` differs. */
const callOf = (method: string): string => `.${method.replace(/^passkeys\./, '')}(`;

describe('the page on the library', () => {
  it('names a method for every route but the one that has nothing to do', () => {
    const routes = allRoutes.map(nameOf).filter((name) => name !== 'GET /health');
    expect(Object.keys(METHOD_OF_ROUTE).toSorted()).toEqual(routes.toSorted());
  });

  it.each(Object.entries(METHOD_OF_ROUTE))('for %s names %s, which does its work', (route, method) => {
    expect(String(CORE_CALLS[route])).toContain(callOf(method));
    expect(rows.some((row) => row.includes(`\`${method}(`) && row.includes(`\`${route}\``))).toBe(true);
  });

  it('is as the sources are: else run `npm run docs`', async () => {
    expect(unaligned(page)).toBe(unaligned(await libraryDocument.render()));
  });

  it('names types that can be imported', () => {
    const entries = ['index', 'administration', 'keys', 'settings'];
    const exported = new Set(
      entries.flatMap((entry) => read(`packages/core/src/${entry}.ts`).match(/\b[A-Z]\w+\b/g) ?? []),
    );
    const named = rows.flatMap((row) => [...row.matchAll(/`([^`]*[(<][^`]*|[A-Z]\w*)`/g)]);
    const types = named.flatMap(([, code = '']) => code.match(/\b[A-Z]\w+\b/g) ?? []);
    const builtIn = ['Map', 'Candidate'];
    expect(types.length).toBeGreaterThan(100);
    expect([...new Set(types)].filter((type) => !exported.has(type) && !builtIn.includes(type))).toEqual([]);
  });
});
