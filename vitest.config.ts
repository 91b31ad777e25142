import { defineConfig } from 'vitest/config';

/** What they prove is about races, faults and bursts, not about a starved machine: they run one at a time, last. */
const ALONE = ['test/races/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/e2e/refresh*.test.ts'];

export default defineConfig({
  // Tests run from source: the condition `latchkey-source` of each package's exports points at src/.
  // 'import' must not be listed here, it breaks pg's CommonJS entry at run time.
  ssr: { resolve: { conditions: ['latchkey-source', 'node'] } },
  test: {
    // Patience costs nothing where all is well; a machine that does other work beside must not fail a test.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    coverage: { include: ['packages/*/src/**'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['packages/*/src/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          // They are small and share nothing but modules, whose loading would take longer than the tests.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...ALONE, '**/node_modules/**'],
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
