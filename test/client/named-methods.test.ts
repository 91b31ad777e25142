import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { interfaceOfPeople } from '../../tools/build/client-types/interface-of-people.js';
import { root } from '../../tools/shared/repository-files.mjs';

/** Routes that have no method of their own, and why. `client.request` calls them all. */
const WITHOUT_METHOD: [route: RegExp, reason: string][] = [
  [/^POST \/auth\/(refresh|logout)$/, 'the session sends them: session.renew, signOut'],
  [/^POST \/auth\/service-token$/, 'for machines with a key'],
  [/^POST \/auth\/acting\/exchange$/, 'for the page that the console opens'],
  [/^POST \/auth\/external\/backchannel-logout$/, 'for providers'],
  [/^GET \/(\.well-known\/jwks\.json|health|ready)$/, 'for operators and verifiers'],
  [/^GET \/auth\/pictures\//, 'for <img>, which sends the request: account.pictureAt'],
  [
    /^\S+ \/internal\/(?!companies\/\{companyId\}(?:$|\/))/,
    'for consoles of staff, not for a front end of users',
  ],
  [
    /^\S+ \/internal\/companies\/\{companyId\}\/(?!(?:users|memberships|audit-logs)$)/,
    'what the company page and the console call, and few front ends do',
  ],
];

const routes = Object.entries(
  interfaceOfPeople(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')).paths,
).flatMap(([path_, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path_}`));

const SOURCES = path.join(root, 'packages/client/src');
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
  .map((file) => readFileSync(path.join(SOURCES, file), 'utf8'));

const called = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/request\(\s*'([A-Z]+)',\s*'([^']+)'/g)].map(([, method, url]) => `${method} ${url}`),
  ),
);

it('every route of users has a named method, or a reason for none', () => {
  const missing = routes.filter(
    (route) => !called.has(route) && !WITHOUT_METHOD.some(([pattern]) => pattern.test(route)),
  );
  expect(routes.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

it('each reason for none is that of a route, which has no method', () => {
  for (const [pattern, reason] of WITHOUT_METHOD) {
    const matching = routes.filter((route) => pattern.test(route));
    expect(matching, reason).not.toEqual([]);
    expect(
      matching.filter((route) => called.has(route)),
      reason,
    ).toEqual([]);
  }
});
