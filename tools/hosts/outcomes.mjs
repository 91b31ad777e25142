import { cpSync } from 'node:fs';
import path from 'node:path';
import { assertCookiePages } from './cookie-check.mjs';
import { assertOursUntouched as assertLeftByDrizzle } from './drizzle-check.mjs';
import { assertHost, PLAIN_HOST } from './host-check.mjs';
import { testAsModules } from './nest-modules.mjs';
import { assertOursUntouched as assertLeftByPrisma } from './prisma-check.mjs';

/** Expectations for a host that mounts Latchkey under a prefix. */
const UNDER_IDENTITY = { ...PLAIN_HOST, mountPath: '/identity' };

const served =
  (host, ...commands) =>
  async (trial) => {
    for (const command of commands) await assertHost(trial, { ...host, command });
  };

const NEXT = { ...UNDER_IDENTITY, settings: { AUTH_WEB_COOKIE_MODE: 'true' }, alsoCheck: assertCookiePages };

/** Checks the build in its folder, and as in an image: the traced files only. */
async function assertNext(trial) {
  await served(NEXT, 'exec npx next start')(trial);
  const folder = `${trial.folder}-standalone`;
  cpSync(path.join(trial.folder, '.next/standalone'), folder, { recursive: true });
  await served(NEXT, 'exec node server.js')({ ...trial, folder });
}

const assertNest = served({ ...UNDER_IDENTITY, noteStatus: 201 }, 'exec node dist/main.js');

/** Checks the app as compiled by the page, and then as ES modules. */
async function assertNestOfModules(trial) {
  await assertNest(trial);
  await testAsModules(trial);
  await assertNest(trial);
}

/** Expected outcomes by recipe, where its commands do not check them. */
export const OUTCOMES = {
  hono: served(UNDER_IDENTITY, 'exec node main.js'),
  next: assertNext,
  fastify: served(UNDER_IDENTITY, 'exec node main.js'),
  nest: assertNest,
  'nest-12': assertNestOfModules,
  nitro: served(UNDER_IDENTITY, 'exec node .output/server/index.mjs'),
  bun: served(UNDER_IDENTITY, 'exec npx bun app.js'),
  node: served(PLAIN_HOST, 'exec node app.js'),
  esbuild: served(PLAIN_HOST, 'exec node dist/app.js', 'exec node dist/full.js'),
  'drizzle-kit': assertLeftByDrizzle,
  prisma: assertLeftByPrisma,
};
