import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import type { GeneratedDocument } from './generated-document.js';
import { code, tableOf, withTable } from './page-table.js';

const PATH = 'docs/http-api.md';
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The page is written by hand; the tables of its routes, one for each tag, are not. */
export const httpApiDocument: GeneratedDocument = {
  path: PATH,
  render: () => {
    const tags = new Set(allRoutes.map(({ tag }) => tag));
    return [...tags].reduce<string>(
      (page, tag) => withTable(page, `routes of ${tag}`, tableOfTag(tag)),
      readFileSync(root + PATH, 'utf8'),
    );
  },
};

const tableOfTag = (tag: string): string =>
  tableOf(
    ['method and path', 'caller', 'description', 'returns'],
    allRoutes.filter((route) => route.tag === tag).map(rowOf),
  );

const rowOf = (route: Route): string[] => [
  code(`${route.method.toUpperCase()} ${route.path}`),
  callerOf(route),
  `${route.summary}. ${route.description}`.trim(),
  route.status === 200 ? returnsOf(route.reply) : `${route.status}, ${returnsOf(route.reply)}`,
];

const CALLERS: Readonly<Record<Route['caller']['security'], string>> = {
  none: 'anyone',
  bearer: 'user',
  'api-key': 'API key',
  'internal-key': 'machine',
  'internal-key-or-bearer': 'machine or user',
};

function callerOf({ caller, headers }: Route): string {
  const company = headers.shape['x-org'] as z.ZodType | undefined;
  const needsCompany = company !== undefined && !company.safeParse(undefined).success;
  return needsCompany ? `${CALLERS[caller.security]}, with \`x-org\`` : CALLERS[caller.security];
}

/** Returns the name of the schema, else the fields of the object. */
function returnsOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodArray) return `list of ${returnsOf(schema.element as z.ZodType)}`;
  if (schema instanceof z.ZodUnion) {
    return schema.options.map((option) => returnsOf(option as z.ZodType)).join(' or ');
  }
  const { id } = schema.meta() ?? {};
  if (id !== undefined) return code(id);
  return schema instanceof z.ZodObject ? code(`{${Object.keys(schema.shape).join(', ')}}`) : 'JSON';
}
