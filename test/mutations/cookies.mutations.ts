import type { Mutation } from './mutation.js';

export const cookieMutations: readonly Mutation[] = [
  {
    promise: 'In cookie mode no script sees a token, neither in a response nor in a cookie.',
    defect: 'the body repeats the refresh token',
    file: 'packages/http/src/routing/token-cookies.ts',
    from: 'const { accessToken: _access, refreshToken: _refresh, ...rest } = data;',
    to: 'const { accessToken: _access, ...rest } = data;',
  },
  {
    promise: 'In cookie mode no script sees a token, neither in a response nor in a cookie.',
    defect: 'scripts can read the refresh cookie',
    file: 'packages/http/src/routing/auth-cookies.ts',
    from: 'value: pair.refreshToken, maxAge: refreshSeconds, httpOnly: true',
    to: 'value: pair.refreshToken, maxAge: refreshSeconds',
  },
  {
    promise: 'A cookie-authenticated change requires a page of an allowed origin and a JSON request.',
    defect: 'an origin is compared by its prefix',
    file: 'packages/http/src/routing/cookie-origin.ts',
    from: 'origin === new URL(baseUrl).origin',
    to: 'origin.startsWith(new URL(baseUrl).origin)',
  },
  {
    promise: 'A page of another origin cannot sign a browser in or out.',
    defect: 'sign-in takes any origin',
    file: 'packages/http/src/routing/token-cookies.ts',
    from: 'if (issuesTokens || takesRefreshToken) assertNotForeign',
    to: 'if (!issuesTokens && takesRefreshToken) assertNotForeign',
  },
  {
    promise: 'Cookies are read and set only if both the setting and the request ask for it.',
    defect: 'cookies speak without the header',
    file: 'packages/http/src/routing/token-cookies.ts',
    from: 'return asksForIt ? new',
    to: 'return asksForIt || exchange.request.headers.cookie ? new',
  },
  {
    promise: 'A cookie planted beside the real one is not accepted for a sign-in.',
    defect: 'of two cookies the first counts',
    file: 'packages/http/src/routing/auth-cookies.ts',
    from: 'values.length === 1 && TOKEN.test(value)',
    to: 'values.length > 0 && TOKEN.test(value)',
  },
  {
    promise: 'Only listed origins get cross-origin responses. Look-alike origins are rejected.',
    defect: 'every origin is allowed',
    file: 'packages/http/src/routing/cross-origin.ts',
    from: 'origin !== undefined && allowed.has(origin)',
    to: 'origin !== undefined',
  },
];
