import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run site:check`: checks the documentation that was built as a site. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  ssr: { resolve: { conditions: ['latchkey-source', 'node'] } },
  test: {
    include: ['test/site/*.site.ts'],
    testTimeout: 40_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    chaiConfig: { truncateThreshold: 0 },
  },
});
