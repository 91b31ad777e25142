import fs from 'node:fs';
import { expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';

const page = fs.readFileSync(new URL('../../docs/http-api.md', import.meta.url), 'utf8');

/** Documents and pages: in the tables of the page, but not in a table of routes. */
const BESIDES = ['GET /openapi.json', 'GET /docs', 'GET /dev/mail', 'GET /metrics'];

/** The two prefixes that "…" means in the tables. */
const PREFIXES = ['/internal/companies/{companyId}', '/internal/admin/companies/{companyId}'];

/** `METHOD /path` of each row of the tables that begins with a route. */
const described = [...page.matchAll(/^\| `(GET|POST|PATCH|PUT|DELETE) ([^`]+)`(, machines only)?/gm)].flatMap(
  ([, method, path, machinesOnly]) =>
    pathsOf(path!, machinesOnly !== undefined).map((one) => `${method!} ${one}`),
);

function pathsOf(path: string, isForMachinesOnly: boolean): string[] {
  if (!path.startsWith('…')) return [path];
  return PREFIXES.slice(isForMachinesOnly ? 1 : 0).map((prefix) => prefix + path.slice(1));
}

const served = allRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);

it('every route has a row on the page', () => {
  expect(served.filter((route) => !described.includes(route))).toEqual([]);
});

it('every row of the page is a route', () => {
  expect(described.filter((route) => !served.includes(route) && !BESIDES.includes(route))).toEqual([]);
});

it('no route has two rows', () => {
  expect(described.filter((route, index) => described.indexOf(route) !== index)).toEqual([]);
});
