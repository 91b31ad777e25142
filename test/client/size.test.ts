import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleForBrowsers } from '../support/browser-bundle.js';

const MOST_BYTES = 8_000;

it('the client with its transport has at most 8 kB, minified and compressed', async () => {
  const code = await bundleForBrowsers('packages/client/src/index.ts');
  expect(code).not.toMatch(/["']node:|\brequire\(/);
  expect(code).toContain('/auth/refresh');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(MOST_BYTES);
});

it('the React entry adds less than 1 kB', async () => {
  const code = await bundleForBrowsers('packages/client/src/react.ts', { external: ['react'] });
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(1_000);
});
