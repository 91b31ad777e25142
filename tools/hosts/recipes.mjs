const HANDLER = ['core', 'http', 'pages'];
const ROUTER = [...HANDLER, 'express-adapter'];
const KIT = 'testing';

/**
 * The recipes of docs/hosts.md, in its order. A section holds the files and commands; `test/hosts/<name>` has the versions
 * it is tested with; the page names those in `tried`. Recipes of one section run the same files with different versions.
 * `isShort` recipes install within seconds.
 */
export const RECIPES = [
  {
    name: 'hono',
    section: 'Hono',
    tried: ['hono', '@hono/node-server'],
    packages: [...HANDLER, KIT],
    isShort: true,
  },
  { name: 'next', section: 'Next.js', tried: ['next'] },
  { name: 'fastify', section: 'Fastify', tried: ['fastify'], packages: [...HANDLER, KIT], isShort: true },
  { name: 'nest', section: 'NestJS', tried: ['@nestjs/core'], packages: [...ROUTER, KIT] },
  { name: 'nest-12', section: 'NestJS', tried: ['@nestjs/core'], packages: [...ROUTER, KIT] },
  { name: 'nitro', section: 'Nitro', tried: ['nitro'] },
  { name: 'bun', section: 'Bun', tried: ['bun'] },
  { name: 'node', section: 'Node.js without a framework', tried: [], isShort: true },
  { name: 'esbuild', section: 'esbuild', tried: ['esbuild'], packages: ROUTER, isShort: true },
  { name: 'jest', section: 'Jest', tried: ['jest'], packages: ['core', KIT] },
  {
    name: 'drizzle-kit',
    section: 'drizzle-kit',
    tried: ['drizzle-kit', 'drizzle-orm'],
    packages: ['core'],
  },
  { name: 'prisma', section: 'Prisma', tried: ['prisma'], packages: ['core'] },
].map((recipe) => ({ file: 'docs/hosts.md', packages: HANDLER, isShort: false, ...recipe }));
