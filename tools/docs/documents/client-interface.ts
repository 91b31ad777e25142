import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { GeneratedDocument } from './generated-document.js';
import { openApiJson } from './openapi.js';

const FOLDER = 'packages/client/src/generated';

/** A route without a required caller that still reads an access token, if there is one. */
const OPTIONAL_CALLER = '/auth/invitations/accept';

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
}

type Json = Record<string, unknown>;
type Paths = Record<string, Record<string, Operation>>;

/** The types of every route that a person's client can call, for `@latchkey/client`. */
export const clientTypes: GeneratedDocument = {
  path: `${FOLDER}/openapi.ts`,
  render: async () => {
    const document = withoutUnused(await interfaceOfPeople()) as OpenAPI3;
    return `// Generated from docs/openapi.json by \`npm run docs\`.\n${astToString(await openapiTS(document))}`;
  },
};

/** The routes that need no session: the client calls them without waiting for a refresh. */
export const clientPublicRoutes: GeneratedDocument = {
  path: `${FOLDER}/public-routes.ts`,
  render: async () => {
    const { paths } = await interfaceOfPeople();
    const isOpen = (path: string) =>
      path !== OPTIONAL_CALLER && Object.values(paths[path] ?? {}).every(isPublic);
    const [open, closed] = [true, false].map((wanted) =>
      Object.keys(paths).filter((path) => isOpen(path) === wanted),
    );
    const shortest = (open ?? []).map((path) => shortestPrefix(path, closed ?? []));
    return `// Generated from docs/openapi.json by \`npm run docs\`.

/** Paths whose routes, and those below them, need no session. */
export const PUBLIC_PATHS: readonly string[] = ${JSON.stringify([...new Set(shortest)].sort())};
`;
  },
};

/** Returns the shortest leading part of a path that none of the others is or is below. */
function shortestPrefix(path: string, others: readonly string[]): string {
  const segments = path.split('/');
  const prefixes = segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
  const isFree = (prefix: string) => !others.some((other) => `${other}/`.startsWith(`${prefix}/`));
  return prefixes.find((prefix) => prefix !== '' && isFree(prefix)) ?? path;
}

const isPublic = ({ security }: Operation): boolean => security.length === 0;

/** Returns the document without the routes that only machines can call: no browser may hold their key. */
async function interfaceOfPeople(): Promise<{ paths: Paths }> {
  const document = JSON.parse(await openApiJson.render()) as { paths: Paths };
  const paths = Object.entries(document.paths).map(([path, methods]): [string, Record<string, Operation>] => [
    path,
    Object.fromEntries(Object.entries(methods).filter(([, operation]) => isForPeople(operation))),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths.filter(([, methods]) => Object.keys(methods).length > 0)),
  };
}

const isForPeople = (operation: Operation): boolean =>
  isPublic(operation) || operation.security.some((way) => 'accessToken' in way);

/** Examples and response headers have no types; errors have one form, and the client adds the header of cookie mode. */
const UNUSED = new Set(['example', 'examples', 'application/problem+json']);

function withoutUnused(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const kept = key === 'parameters' ? value.filter(({ name }: Json) => name !== 'x-auth-mode') : value;
    return kept.map((each) => withoutUnused(each));
  }
  if (typeof value !== 'object' || value === null) return value;
  const isResponse = 'content' in value && 'headers' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !UNUSED.has(name) && !(isResponse && name === 'headers'))
      .map(([name, each]) => [name, withoutUnused(each, name)]),
  );
}
