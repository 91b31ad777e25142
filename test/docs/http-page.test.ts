import fs from 'node:fs';
import { expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';

const page = fs.readFileSync(new URL('../../docs/http-api.md', import.meta.url), 'utf8');

/** Documents and pages: in the tables of the page, but not in a table of routes. */
const BESIDES = ['GET /openapi.json', 'GET /docs', 'GET /dev/mail', 'GET /metrics'];

/** `METHOD /path` of each row of the tables that begins with a route. */
const described = [...page.matchAll(/^\| `((?:GET|POST|PATCH|PUT|DELETE) [^`]+)`/gm)].map(
  ([, route]) => route!,
);

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
