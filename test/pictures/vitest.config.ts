import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `npm run site:pictures`: takes the pictures of the documentation with the services and the browser of the tests. */
export default defineConfig({
  root: ROOT,
  ssr: { resolve: { conditions: ['latchkey-source', 'node'] } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/pictures/*.pictures.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    isolate: false,
  },
});
