import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `npm run proof:external`: needs the provider, which is no dependency of the project. */
export default defineConfig({
  root: ROOT,
  ssr: { resolve: { conditions: ['latchkey-source', 'node'] } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/external-provider/*.proof.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 1,
    isolate: false,
  },
});
