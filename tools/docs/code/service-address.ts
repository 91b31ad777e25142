import { allRoutes } from '@latchkey/express-adapter';

/** Paths that are served but are not in the table of routes. */
const BESIDES = [
  '/',
  '/login',
  '/account',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/reject-registration',
  '/change-email',
  '/undo-email-change',
  '/undo-deletion',
  '/docs',
  '/openapi.json',
  '/dev/mail',
  '/metrics',
];

/** Paths of other services that pages speak of. */
const ELSEWHERE = [/^\/internal\/companies\/[^/]+\/entitlements$/];

const patterns = allRoutes.map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Reports whether the service answers `method` at `path` (with or without a query). */
export function isServed(method: string, path: string): boolean {
  const [bare = ''] = path.split(/[?#]/);
  if (method === 'GET' && BESIDES.includes(bare)) return true;
  return patterns.some((route) => route.method === method && route.pattern.test(bare));
}

/** Reports whether a path in the text is meant to be one of the service. */
export const isOurs = (path: string): boolean =>
  /^\/(auth|internal|\.well-known|health|ready)(\/|$)/.test(path) && !ELSEWHERE.some((one) => one.test(path));
