import { interfaceOfPeople, isPublic } from '../../build/client-types/interface-of-people.js';
import type { GeneratedDocument } from './generated-document.js';
import { openApiJson } from './openapi.js';

/** Routes without a required caller that still read an access token, if there is one. */
const OPTIONAL_CALLER = ['/auth/external/start', '/auth/external/finish', '/auth/invitations/accept'];

/** The routes that need no session: the client calls them without waiting for a refresh. */
export const clientPublicRoutes: GeneratedDocument = {
  path: 'packages/client/src/generated/public-routes.ts',
  render: async () => {
    const { paths } = interfaceOfPeople(await openApiJson.render());
    const isOpen = (path: string) =>
      !OPTIONAL_CALLER.includes(path) && Object.values(paths[path] ?? {}).every(isPublic);
    const [open, closed] = [true, false].map((wanted) =>
      Object.keys(paths).filter((path) => isOpen(path) === wanted),
    );
    const shortest = (open ?? []).flatMap((path) => shortestPrefix(path, closed ?? []) ?? []);
    return `// Generated from docs/openapi.json by \`npm run docs\`.

/** Paths whose routes, and those below them, need no session. */
export const PUBLIC_PATHS: readonly string[] = ${JSON.stringify([...new Set(shortest)].sort())};
`;
  },
};

/**
 * Returns the shortest leading part of a path that none of the others is or is below; undefined if another one is below the path
 * itself, which is then called with a session if there is one.
 */
function shortestPrefix(path: string, others: readonly string[]): string | undefined {
  const segments = path.split('/');
  const prefixes = segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
  const isFree = (prefix: string) => !others.some((other) => `${other}/`.startsWith(`${prefix}/`));
  return prefixes.find((prefix) => prefix !== '' && isFree(prefix));
}
