import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs the proofs that need what `npm ci` does not install, each by a script of its own: `npm run proof:…`. */
export default defineConfig({
  root: ROOT,
  ssr: { resolve: { conditions: ['latchkey-source', 'node'] } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.proof.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 1,
    isolate: false,
  },
});
