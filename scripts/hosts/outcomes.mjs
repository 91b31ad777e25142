import { assertOursUntouched as assertLeftByDrizzle } from './drizzle-check.mjs';
import { assertHost, PLAIN_HOST } from './host-check.mjs';
import { assertOursUntouched as assertLeftByPrisma } from './prisma-check.mjs';

/** A host that gives Latchkey a prefix. */
const UNDER_IDENTITY = {
  ...PLAIN_HOST,
  health: '/identity/health',
  signInPath: '/identity/auth/login',
  pages: ['/identity/login'],
};

/** A host that calls the use cases itself and has no router. */
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

/** What must come of a recipe, by its name, where its commands do not say so themselves. */
export const OUTCOMES = {
  fastify: served(PLAIN_HOST, 'exec node app.js'),
  hono: served(UNDER_IDENTITY, 'exec node app.js'),
  next: served(WITHOUT_ROUTER, 'exec npx next start'),
  nest: served({ ...PLAIN_HOST, noteStatus: 201 }, 'exec node dist/main.js'),
  esbuild: served(PLAIN_HOST, 'exec node dist/app.js', 'exec node dist/full.js'),
  'drizzle-kit': assertLeftByDrizzle,
  prisma: assertLeftByPrisma,
};
