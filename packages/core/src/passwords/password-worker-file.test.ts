import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passwordWorkerFile } from './password-worker-file.js';

let root: string;

const put = async (path: string, content = ''): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
};
const found = (): string =>
  fileURLToPath(passwordWorkerFile(pathToFileURL(join(root, 'dist/password-worker.js'))));

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-worker-')));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe('the file of the password worker', () => {
  it('is the one of the installed package when a bundler has moved the code', async () => {
    const manifest = { name: '@latchkey/core', exports: { '.': { default: './dist/index.js' } } };
    await put('node_modules/@latchkey/core/package.json', JSON.stringify(manifest));
    await put('node_modules/@latchkey/core/dist/index.js');
    await put('node_modules/@latchkey/core/dist/password-worker.js');
    expect(found()).toBe(join(root, 'node_modules/@latchkey/core/dist/password-worker.js'));
  });

  it('is the one beside the bundle when it was copied there', async () => {
    await put('dist/password-worker.js');
    expect(found()).toBe(join(root, 'dist/password-worker.js'));
  });

  it('is named in the error, with instructions, if it does not exist', () => {
    expect(found).toThrow(
      /dist\/password-worker\.js is missing: a bundler has left it out\. Copy it beside your bundle/,
    );
  });
});
