import { defineConfig } from 'vitest/config';

/**
 * These prove something about bursts and outages that takes processes of about the same speed, not a starved machine: they
 * run last. Most of their time they wait for clocks, so three at a time leave the processors idle enough.
 */
const LAST = [
  'test/races/refresh-bursts.test.ts',
  'test/faults/*-unavailable.test.ts',
  'test/e2e/refresh*.test.ts',
  'test/proofs/**/*.test.ts',
];

const common = {
  // Patience costs nothing where all is well; a machine that does other work beside must not fail a test.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  // Files share nothing but modules, whose loading would take longer than most tests.
  isolate: false,
};

// Tests run from source: the condition `latchkey-source` of each package's exports points at src/.
// 'import' must not be listed here, it breaks pg's CommonJS entry at run time.
const ssr = { resolve: { conditions: ['latchkey-source', 'node'] } };

export default defineConfig({
  ssr,
  test: {
    // Once for all projects.
    globalSetup: ['test/support/global-setup.ts'],
    coverage: { include: ['packages/*/src/**'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        ssr,
        test: {
          ...common,
          name: 'together',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...LAST, '**/node_modules/**'],
          // Most wait for processes, databases and clocks, while those in Chromium keep the processors busy.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        ssr,
        test: {
          ...common,
          name: 'last',
          include: LAST,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
