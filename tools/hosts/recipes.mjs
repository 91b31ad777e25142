const BOTH = ['core', 'express-adapter'];

/**
 * The recipes of docs/hosts.md, in its order. A section holds the files and commands; `test/hosts/<name>` has the versions
 * it is tested with; the page names those in `tried`. `isShort` recipes install within seconds.
 */
export const RECIPES = [
  { name: 'fastify', section: 'Fastify', tried: ['fastify', '@fastify/express'], isShort: true },
  { name: 'hono', section: 'Hono', tried: ['hono', '@hono/node-server'], isShort: true },
  { name: 'next', section: 'Next.js', tried: ['next'] },
  { name: 'nest', section: 'NestJS', tried: ['@nestjs/core'] },
  { name: 'esbuild', section: 'esbuild', tried: ['esbuild'], isShort: true },
  { name: 'jest', section: 'Jest', tried: ['jest'] },
  {
    name: 'drizzle-kit',
    section: 'drizzle-kit',
    tried: ['drizzle-kit', 'drizzle-orm'],
    packages: ['core'],
  },
  { name: 'prisma', section: 'Prisma', tried: ['prisma'], packages: ['core'] },
].map((recipe) => ({ file: 'docs/hosts.md', packages: BOTH, isShort: false, ...recipe }));
