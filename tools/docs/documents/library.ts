import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import { CoreMethods } from './core-methods.js';
import type { GeneratedDocument } from './generated-document.js';
import { code, tableOf, withTable } from './page-table.js';
import { useCaseOfRoute } from './use-case-of-route.js';

const PATH = 'docs/library.md';
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The library page, whose text is written by hand and whose tables are generated. */
export const libraryDocument: GeneratedDocument = {
  path: PATH,
  render: () => {
    const methods = new CoreMethods(`${root}packages/core/src`, `${root}packages/operations/src`);
    const page = readFileSync(root + PATH, 'utf8');
    return withTable(withTable(page, 'routes', routesTable(methods)), 'operators', operatorsTable(methods));
  },
};

/** Routes that differ in their callers only share a row. */
function routesTable(methods: CoreMethods): string {
  const rows = new Map<string, { summary: string; path: string; routes: string[] }>();
  for (const route of allRoutes) {
    const path = useCaseOfRoute(route);
    if (path === undefined) continue;
    const { summary } = route;
    const row = rows.get(summary + path) ?? { summary, path, routes: [] };
    row.routes.push(nameOf(route));
    rows.set(summary + path, row);
  }
  const lines = [...rows.values()].map(({ summary, path, routes }) => {
    const { result } = methods.find('Auth', path);
    return [summary, signatureOf(methods, path), routes.map(code).join('<br>'), code(result)];
  });
  return tableOf(['use case', 'method of `auth`', 'routes', 'returns'], lines);
}

/** Returns the methods that only the command line uses: those that the first table lacks. */
function operatorsTable(methods: CoreMethods): string {
  const known = new Set(allRoutes.map(useCaseOfRoute));
  const paths = methods.pathsOf('Administration');
  const lines = [...new Set(paths)]
    .filter((path) => !known.has(`admin.${path}`) && !(methods.isShared(path) && known.has(path)))
    .map((path) => {
      const { result, summary } = methods.find('Administration', path);
      return [signatureOf(methods, path, 'Administration'), summary, code(result)];
    });
  return tableOf(['method', 'description', 'returns'], lines);
}

const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

const signatureOf = (methods: CoreMethods, path: string, holder = 'Auth'): string =>
  code(`${path}(${methods.find(holder, path).parameters.join(', ')})`);
