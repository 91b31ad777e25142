import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { libraryDocument } from '../tools/docs/documents/library.js';
import { useCaseOfRoute } from '../tools/docs/documents/use-case-of-route.js';
import { nameOf } from './support/route-request.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/library.md');

/** Returns a text without the formatting of tables. */
const unaligned = (markdown: string): string =>
  markdown.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').trim();

const rows = page.split('\n').filter((line) => /^\|.*`[\w.]+\(/.test(line));

describe('the page on the library', () => {
  it('one route is left out, which has no use case', () => {
    const without = allRoutes.filter((route) => useCaseOfRoute(route) === undefined);
    expect(without.map(nameOf)).toEqual(['GET /health']);
  });

  it.each(allRoutes.filter(({ path }) => path !== '/health').map((route) => [nameOf(route), route] as const))(
    'the page names the method that does the work of %s',
    (name, route) => {
      const method = useCaseOfRoute(route) ?? '';
      expect(rows.some((row) => row.includes(`\`${method}(`) && row.includes(`\`${name}\``))).toBe(true);
    },
  );

  it('the first use case that a handler calls is recorded', () => {
    const [login] = allRoutes.filter(({ path }) => path === '/auth/login');
    const [me] = allRoutes.filter(({ method, path }) => method === 'get' && path === '/auth/me');
    expect([login, me].map((route) => useCaseOfRoute(route!))).toEqual(['login.withPassword', 'profile.own']);
  });

  it('the page matches the sources: else run `npm run docs`', async () => {
    expect(unaligned(page)).toBe(unaligned(await libraryDocument.render()));
  });

  it('the page names types that can be imported', () => {
    const entries = ['core/src/index', 'core/src/keys', 'core/src/settings', 'operations/src/index'];
    const exported = new Set(
      entries.flatMap((entry) => read(`packages/${entry}.ts`).match(/\b[A-Z]\w+\b/g) ?? []),
    );
    const named = rows.flatMap((row) => [...row.matchAll(/`([^`]*[(<][^`]*|[A-Z]\w*)`/g)]);
    const types = named.flatMap(([, code = '']) => code.match(/\b[A-Z]\w+\b/g) ?? []);
    const builtIn = ['Map', 'Candidate', 'Buffer', 'AsyncGenerator'];
    expect(types.length).toBeGreaterThan(100);
    expect([...new Set(types)].filter((type) => !exported.has(type) && !builtIn.includes(type))).toEqual([]);
  });
});
