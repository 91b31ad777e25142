import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findShippedMigrations, resolveMigrationsDirectory } from './resolve-migrations-path.js';

let root: string;

const put = async (...segments: string[]) => {
  const path = join(root, ...segments);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'select 1');
};

/** Returns the address of a module that a bundler made. */
const bundle = () => pathToFileURL(join(root, 'dist/app.js')).href;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-path-')));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe('the configured folder', () => {
  it('the configured folder is used, relative to the working directory, if it holds the migrations of the package', async () => {
    await cp(resolveMigrationsDirectory(join(root, 'nowhere')), join(root, 'own'), { recursive: true });
    await put('own', '9999_later.sql');
    const configured = relative(process.cwd(), join(root, 'own'));
    expect(resolveMigrationsDirectory(configured)).toBe(join(root, 'own'));
  });

  it('the configured folder is ignored if its migrations are those of the host app', async () => {
    await put('own', '0001_users.sql');
    await put('own', '0002_notes.sql');
    const shipped = resolveMigrationsDirectory(join(root, 'nowhere'));
    expect(resolveMigrationsDirectory(join(root, 'own'))).toBe(shipped);
  });

  it('the configured folder is used with any .sql files if a bundler has omitted those of the package', async () => {
    await put('own', '0001_users.sql');
    expect(resolveMigrationsDirectory(join(root, 'own'), bundle())).toBe(join(root, 'own'));
  });
});

describe('the shipped folder', () => {
  it('the shipped folder is found with the installed package if a bundler has moved the code', async () => {
    const manifest = { name: '@latchkey/core', exports: { '.': { default: './dist/index.js' } } };
    const installed = join(root, 'node_modules/@latchkey/core');
    await put('node_modules/@latchkey/core/dist/index.js');
    await put('node_modules/@latchkey/core/migrations/0001_users.sql');
    await writeFile(join(installed, 'package.json'), JSON.stringify(manifest));
    expect(resolveMigrationsDirectory(join(root, 'nowhere'), bundle())).toBe(join(installed, 'migrations'));
  });

  it('the error for a missing shipped folder names what to copy', () => {
    expect(() => resolveMigrationsDirectory(join(root, 'nowhere'), bundle())).toThrow(
      /MIGRATIONS_PATH.*copy them beside your bundle/,
    );
  });

  it('the shipped folder is used if the configured one is missing or empty', () => {
    const shipped = resolveMigrationsDirectory(join(root, 'nowhere'));
    expect(resolveMigrationsDirectory(root)).toBe(shipped);
    expect(readdirSync(shipped)).toContain('0001_users.sql');
  });

  it('the shipped folder is found from the source and from the bundle of a repository', async () => {
    await put('migrations', '0001_users.sql');
    for (const start of ['packages/core/src/storage', 'packages/core/dist']) {
      expect(findShippedMigrations(join(root, start))).toBe(join(root, 'migrations'));
    }
  });

  it('the shipped folder is that of the installed package, not one of the host app', async () => {
    await put('migrations', '0001_users.sql');
    await put('node_modules/@latchkey/core/migrations', '0001_users.sql');
    const start = join(root, 'node_modules/@latchkey/core/dist');
    expect(findShippedMigrations(start)).toBe(join(root, 'node_modules/@latchkey/core/migrations'));
  });

  it('a folder of the same name with other content is not the shipped one', async () => {
    await put('migrations', '0001_users.sql');
    await put('packages/migrations', '0001_orders.sql');
    expect(findShippedMigrations(join(root, 'packages/core/dist'))).toBe(join(root, 'migrations'));
  });

  it('the shipped folder is undefined if there is none', () => {
    expect(findShippedMigrations(root)).toBeUndefined();
  });
});
