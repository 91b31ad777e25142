import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/shared/repository-files.mjs';
import tsupConfig from '../../tsup.config.js';

interface Manifest {
  exports: Record<string, string | { default: string }>;
}

const manifest = JSON.parse(
  readFileSync(path.join(root, 'packages/client/package.json'), 'utf8'),
) as Manifest;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(root, 'node_modules', '.cache', 'client-'));
  const options = Array.isArray(tsupConfig) ? tsupConfig.find(({ name }) => name === 'client') : undefined;
  const onSuccess = (): Promise<void> => Promise.resolve();
  await build({ ...options, outDir: folder, onSuccess, config: false, silent: true });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the built file of an entry, as the tarball has it. */
function builtEntry(entry: string): string {
  const target = manifest.exports[entry];
  const file = typeof target === 'object' ? target.default : '';
  return readFileSync(path.join(folder, path.basename(file)), 'utf8');
}

describe('the built entries of the client', () => {
  it.each(['./react', './components'])('%s begins as a client module of React', (entry) => {
    expect(builtEntry(entry)).toMatch(/^["']use client["'];/);
  });

  it('share one context, wherever a component is imported from', () => {
    const contexts = ['./react', './components'].flatMap(
      (entry) => builtEntry(entry).match(/createContext\(/g) ?? [],
    );
    // In a chunk that both import.
    expect(contexts).toEqual([]);
  });

  it.each(['.', './server'])('%s runs without React', (entry) => {
    expect(builtEntry(entry)).not.toMatch(/from ["']react/);
    expect(builtEntry(entry)).not.toMatch(/^["']use client["']/);
  });
});
