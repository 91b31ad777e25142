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

/** The address of a module that a bundler made. */
const bundle = () => pathToFileURL(join(root, 'dist/app.js')).href;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-path-')));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe('the configured folder', () => {
  it('is taken, relative to the working directory, when it holds the migrations of the package', async () => {
    await cp(resolveMigrationsDirectory(join(root, 'nowhere')), join(root, 'own'), { recursive: true });
    await put('own', '9999_later.sql');
    const configured = relative(process.cwd(), join(root, 'own'));
    expect(resolveMigrationsDirectory(configured)).toBe(join(root, 'own'));
  });

  it('is passed over when its migrations are those of the host app', async () => {
    await put('own', '0001_users.sql');
    await put('own', '0002_notes.sql');
    const shipped = resolveMigrationsDirectory(join(root, 'nowhere'));
    expect(resolveMigrationsDirectory(join(root, 'own'))).toBe(shipped);
  });

  it('is taken with any .sql files when a bundler has left those of the package out', async () => {
    await put('own', '0001_users.sql');
    expect(resolveMigrationsDirectory(join(root, 'own'), bundle())).toBe(join(root, 'own'));
  });
});

describe('the shipped folder', () => {
  it('is found with the installed package when a bundler has moved the code', async () => {
    const manifest = { name: '@latchkey/core', exports: { '.': { default: './dist/index.js' } } };
    const installed = join(root, 'node_modules/@latchkey/core');
    await put('node_modules/@latchkey/core/dist/index.js');
    await put('node_modules/@latchkey/core/migrations/0001_users.sql');
    await writeFile(join(installed, 'package.json'), JSON.stringify(manifest));
    expect(resolveMigrationsDirectory(join(root, 'nowhere'), bundle())).toBe(join(installed, 'migrations'));
  });

  it('is asked for, with what to do, when a bundler has left it out', () => {
    expect(() => resolveMigrationsDirectory(join(root, 'nowhere'), bundle())).toThrow(
      /MIGRATIONS_PATH.*copy them beside your bundle/,
    );
  });

  it('is taken when the configured one is not there or is empty', () => {
    const shipped = resolveMigrationsDirectory(join(root, 'nowhere'));
    expect(resolveMigrationsDirectory(root)).toBe(shipped);
    expect(readdirSync(shipped)).toContain('0001_users.sql');
  });

  it('is found from the source and from the bundle of a repository', async () => {
    await put('migrations', '0001_users.sql');
    for (const start of ['packages/core/src/storage', 'packages/core/dist']) {
      expect(findShippedMigrations(join(root, start))).toBe(join(root, 'migrations'));
    }
  });

  it('is the one of the installed package, not one of the host app', async () => {
    await put('migrations', '0001_users.sql');
    await put('node_modules/@latchkey/core/migrations', '0001_users.sql');
    const start = join(root, 'node_modules/@latchkey/core/dist');
    expect(findShippedMigrations(start)).toBe(join(root, 'node_modules/@latchkey/core/migrations'));
  });

  it('is not a folder of that name with other content', async () => {
    await put('migrations', '0001_users.sql');
    await put('packages/migrations', '0001_orders.sql');
    expect(findShippedMigrations(join(root, 'packages/core/dist'))).toBe(join(root, 'migrations'));
  });

  it('is undefined when there is none', () => {
    expect(findShippedMigrations(root)).toBeUndefined();
  });
});
