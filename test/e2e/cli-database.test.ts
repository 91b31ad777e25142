import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '@latchkey/core';
import { startEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';
import { runCliHere, runShell } from '../support/cli-process.js';
import { createTestDatabase } from '../support/test-database.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function databaseForThisTest(migrated: boolean): Promise<string> {
  const database = await createTestDatabase({ migrated });
  onTestFinished(() => database.drop());
  return database.url;
}

describe('finding the database', () => {
  it('a missing database is an error that names the ways to get one', async () => {
    const DATA_DIR = await temporaryFolder();
    expect(await runCliHere(['migrate', 'status'], { env: { DATABASE_URL: '', DATA_DIR } })).toEqual({
      code: 4,
      stdout: '',
      stderr: 'error: No database is configured. Start the service (npm start) or set DATABASE_URL.\n',
    });
  });

  it('commands find the embedded database of a service without settings', async () => {
    const dataDir = await temporaryFolder();
    const embedded = await startEmbeddedPostgres({ dataDir, logger: silentLogger });
    onTestFinished(() => embedded.stop());
    const { code, stdout } = await runCliHere(['migrate', 'up', '--json'], {
      env: { DATABASE_URL: '', DATA_DIR: dataDir },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ already: 0 });
  });

  it('commands need no signing key in production, and report every invalid setting', async () => {
    const DATABASE_URL = await databaseForThisTest(true);
    const env = { APP_ENV: 'production', DATABASE_URL };
    expect(await runCliHere(['users', 'list'], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    const faulty = await runCliHere(['users', 'list'], {
      env: { APP_ENV: 'production', DATABASE_URL: '', PORT: 'x' },
    });
    expect(faulty.code).toBe(1);
    expect(faulty.stderr).toMatch(/PORT[\s\S]*DATABASE_URL|DATABASE_URL[\s\S]*PORT/);
    expect(faulty.stderr).not.toContain('JWT_SIGNING_KEY_PEM');
  });
});

it.each([
  ['is not there', { JWT_SIGNING_KEY_PEM_FILE: '/nowhere/signing-key.pem' }],
  ['is no key', { JWT_SIGNING_KEY_PEM: 'nonsense' }],
  ['is a folder', { JWT_SIGNING_KEY_PEM_FILE: '/tmp', JWT_VERIFICATION_KEYS_PEM_FILE: '/nowhere' }],
])('commands that need only the database work where the signing key %s', async (_what, keys) => {
  const env = { DATABASE_URL: await databaseForThisTest(true), ...keys };
  for (const args of [
    ['migrate', 'status', '--check'],
    ['users', 'list'],
    ['audit', 'list'],
  ]) {
    const { code, stderr } = await runCliHere(args, { env });
    expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' });
  }
  const refused = await runCliHere(['keys', 'jwks'], { env });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('JWT_SIGNING_KEY_PEM');
});

describe('latchkey migrate', () => {
  it('migrate up migrates an empty database, and no other command does', async () => {
    const env = { DATABASE_URL: await databaseForThisTest(false) };
    const behind = await runCliHere(['users', 'list'], { env });
    expect(behind).toMatchObject({ code: 1, stdout: '' });
    expect(behind.stderr).toMatch(/^error: The database schema is behind: .+\nRun: latchkey migrate up\n$/);
    expect(await runCliHere(['migrate', 'status', '--check'], { env })).toMatchObject({ code: 1 });

    const preview = await runCliHere(['migrate', 'status', '--sql'], { env });
    expect(preview.stdout).toMatch(/^-- 0001_users\.sql, in one transaction\n[\s\S]*CREATE TABLE users \(/);
    expect(preview.stdout).toContain('CREATE TABLE user_imports (');

    const { stdout } = await runCliHere(['migrate', 'up', '--json'], { env });
    const { applied, already } = JSON.parse(stdout) as { applied: string[]; already: number };
    expect(applied[0]).toBe('0001_users.sql');
    expect(already).toBe(0);
    expect(await runCliHere(['migrate', 'up'], { env })).toEqual({
      code: 0,
      stdout: `The schema is up to date (${applied.length} migrations).\n`,
      stderr: '',
    });
    expect(await runCliHere(['migrate', 'status', '--sql'], { env })).toEqual({
      code: 0,
      stdout: '-- No migration is pending.\n',
      stderr: '',
    });
    const status = await runCliHere(['migrate', 'status', '--check', '--json'], { env });
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toContainEqual({
      version: '0001',
      name: 'users',
      state: 'applied',
      compatible: null,
      appliedAt: expect.stringMatching(/^\d{4}-.+Z$/) as string,
    });
  });
});

describe('an environment that can be foreseen to be wrong', () => {
  const migrate = (DATABASE_URL: string) => runCliHere(['migrate', 'up'], { env: { DATABASE_URL } });

  it('a missing file of certificates ends with 4 and names DATABASE_URL', async () => {
    const url = 'postgres://app@localhost/auth?sslmode=verify-full&sslrootcert=/nonexistent.pem';
    const { code, stderr } = await migrate(url);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /\/nonexistent\.pem cannot be read \(ENOENT\).*Correct sslrootcert in DATABASE_URL/s,
    );
    expect(stderr).not.toContain('Unexpected');
  });

  it('a server without TLS ends with 4 and names the parameter', async () => {
    const { code, stderr } = await migrate(`${await databaseForThisTest(false)}?sslmode=require`);
    expect(code).toBe(4);
    expect(stderr).toContain('set sslmode=disable in DATABASE_URL');
  });

  it('a folder in place of a file of users is named', async () => {
    const DATABASE_URL = await databaseForThisTest(true);
    const folder = await temporaryFolder();
    expect(await runCliHere(['users', 'import', folder], { env: { DATABASE_URL } })).toMatchObject({
      code: 1,
      stderr: `error: ${folder} is a folder.\nName a file.\n`,
    });
  });

  it.runIf(process.platform === 'linux')('output to a full disk ends with one sentence', async () => {
    const DATABASE_URL = await databaseForThisTest(true);
    const { code, stderr } = await runShell('latchkey --help > /dev/full', { env: { DATABASE_URL } });
    expect(code).toBe(1);
    expect(stderr).toBe('error: The output cannot be written (ENOSPC).\n');
  });
});
