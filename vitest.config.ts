import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run from source: the `source` condition of each package's exports points at src/.
  // 'import' must not be listed here, it breaks pg's CommonJS entry at run time.
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // One file at a time: the races start several processes, and what they prove is not about a starved machine.
    maxWorkers: 1,
    coverage: { include: ['packages/*/src/**'], reporter: ['text-summary', 'html'] },
  },
});
