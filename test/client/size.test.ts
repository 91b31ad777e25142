import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleForBrowsers } from '../support/browser-bundle.js';

const sizeOf = (code: string): number => gzipSync(code, { level: 9 }).length;

it('the client with every method has at most 10 kB, minified and compressed', async () => {
  const code = await bundleForBrowsers('packages/client/src/index.ts');
  expect(code).not.toMatch(/["']node:|\brequire\(/);
  expect(code).toContain('/auth/refresh');
  expect(sizeOf(code)).toBeLessThan(10_000);
});

it('the React entry adds less than 2 kB', async () => {
  const code = await bundleForBrowsers('packages/client/src/react.ts', {
    external: ['react', 'react/jsx-runtime'],
  });
  expect(sizeOf(code)).toBeLessThan(2_000);
});

it('the calls of a server, which have no session, have at most 4 kB', async () => {
  expect(sizeOf(await bundleForBrowsers('packages/client/src/server.ts'))).toBeLessThan(4_000);
});

it('the ready-made components have at most 7.5 kB, without React', async () => {
  const code = await bundleForBrowsers('packages/client/src/components.ts', {
    external: ['react', 'react/jsx-runtime'],
  });
  expect(sizeOf(code)).toBeLessThan(7_500);
});
