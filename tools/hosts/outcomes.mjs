import { cpSync } from 'node:fs';
import path from 'node:path';
import { assertOursUntouched as assertLeftByDrizzle } from './drizzle-check.mjs';
import { assertHost, PLAIN_HOST } from './host-check.mjs';
import { assertOursUntouched as assertLeftByPrisma } from './prisma-check.mjs';

/** Expectations for a host that mounts Latchkey under a prefix. */
const UNDER_IDENTITY = {
  ...PLAIN_HOST,
  health: '/identity/health',
  signInPath: '/identity/auth/login',
  pages: ['/identity/login'],
};

/** Expectations for a host that calls the use cases directly, without the router. */
const WITHOUT_ROUTER = {
  ...PLAIN_HOST,
  health: '/hello',
  signInPath: '/api/login',
  pages: [],
  noteStatus: undefined,
};

const served =
  (host, ...commands) =>
  async (trial) => {
    for (const command of commands) await assertHost(trial, { ...host, command });
  };

/** Checks the build in its folder, and as in an image: the traced files only. */
async function assertNext(trial) {
  await served(WITHOUT_ROUTER, 'exec npx next start')(trial);
  const folder = `${trial.folder}-standalone`;
  cpSync(path.join(trial.folder, '.next/standalone'), folder, { recursive: true });
  await served(WITHOUT_ROUTER, 'exec node server.js')({ ...trial, folder });
}

/** Expected outcomes by recipe, where its commands do not check them. */
export const OUTCOMES = {
  fastify: served(PLAIN_HOST, 'exec node app.js'),
  hono: served(UNDER_IDENTITY, 'exec node app.js'),
  next: assertNext,
  nest: served({ ...PLAIN_HOST, noteStatus: 201 }, 'exec node dist/main.js'),
  esbuild: served(PLAIN_HOST, 'exec node dist/app.js', 'exec node dist/full.js'),
  'drizzle-kit': assertLeftByDrizzle,
  prisma: assertLeftByPrisma,
};
