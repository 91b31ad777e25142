import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, runCliHere, runShell } from '../support/cli-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { fileOf, folderForThisTest } from '../support/user-import.js';

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, LATCHKEY_OPERATOR: 'alice' };
});
afterAll(() => database.drop());

const cli = (...args: string[]) => runCliHere(args, { env });

describe('latchkey users import', () => {
  it('latchkey users import says how many users it created, and what it left out in a file', async () => {
    const file = await fileOf([{ email: 'a@cli.example.com' }, 'not json', { email: 'b@cli.example.com' }]);
    const { code, stdout, stderr } = await cli('users', 'import', file);
    expect(code).toBe(1);
    expect(stdout).toBe('Users: created 2, updated 0, skipped 0, rejected 1.\n');
    expect(stderr).toContain(`${file}.rejected.jsonl`);
    expect(stderr).toContain('1 entry rejected.');
    const report = `${file}.rejected.jsonl`;
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ position: 2, outcome: 'rejected' });
    expect((await stat(report)).mode & 0o777).toBe(0o600);
  });

  it('a clean import exits with 0 and writes no file of rejections', async () => {
    const file = await fileOf([{ email: 'c@cli.example.com' }]);
    const { code, stdout } = await cli('users', 'import', file, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { status: 'ok', created: 1, updated: 0, skipped: 0, rejected: 0, isComplete: true },
    ]);
    await expect(stat(`${file}.rejected.jsonl`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('a dry run says what would happen', async () => {
    const file = await fileOf([{ email: 'd@cli.example.com' }]);
    const { code, stdout } = await cli('users', 'import', file, '--dry-run');
    expect([code, stdout]).toEqual([
      0,
      'The import would have created 1, updated 0, skipped 0, rejected 0.\n',
    ]);
    expect((await cli('users', 'show', 'd@cli.example.com')).code).toBe(3);
  });

  it('a user who exists stops the import with --on-conflict fail', async () => {
    const file = await fileOf([{ email: 'e@cli.example.com' }]);
    await cli('users', 'import', file);
    const { code, stderr } = await cli('users', 'import', file, '--on-conflict', 'fail');
    expect([code, stderr]).toEqual([1, expect.stringContaining('The user of entry 1 exists.')]);
  });

  it.each([
    ['a missing file', ['users', 'import', '/nowhere/users.jsonl'], 3, 'There is no file'],
    ['an unknown format', ['users', 'import', 'x', '--format', 'ldap'], 2, 'auth0'],
    ['an unknown action', ['users', 'import', 'x', '--on-conflict', 'merge'], 2, 'update'],
    ['no file', ['users', 'import'], 2, 'file'],
  ])('%s is refused with a message that helps', async (_case, args, exitCode, text) => {
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(text)]);
  });

  it('parameters of Firebase that are none are refused before anything is imported', async () => {
    const file = await fileOf(['{"users": []}']);
    const config = join(await folderForThisTest(), 'hash-config.txt');
    await writeFile(config, 'nothing of use');
    const args = ['users', 'import', file, '--format', 'firebase', '--firebase-hash-config', config];
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Password hash parameters')]);
  });
});

describe('latchkey users export', () => {
  it('latchkey users export writes lines to standard output, and what it wrote is imported again', async () => {
    const other = await createTestDatabase();
    try {
      await cli('users', 'import', await fileOf([{ email: 'f@cli.example.com', fullName: 'Fay' }]));
      const folder = await folderForThisTest();
      const file = join(folder, 'users.jsonl');
      const exported = await runShell(`latchkey users export > ${file}`, { env });
      expect([exported.code, exported.stderr]).toEqual([0, '']);
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { email: string }).email)).toContain(
        'f@cli.example.com',
      );
      const there = { ...env, DATABASE_URL: other.url };
      const imported = await runCli(['users', 'import', file, '--json'], { env: there });
      expect(JSON.parse(imported.stdout)).toMatchObject({ created: lines.length, rejected: 0 });
    } finally {
      await other.drop();
    }
  });

  it('a file of an export can be read by its owner only, and appears when it is complete', async () => {
    const file = join(await folderForThisTest(), 'users.jsonl');
    const { code, stdout } = await cli('users', 'export', '--with-hashes', '--output', file);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Exported \d+ users to .*users\.jsonl\.\n$/)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(stat(`${file}.unfinished`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('a file that cannot be written is named', async () => {
    const { code, stderr } = await cli('users', 'export', '--output', '/nowhere/users.jsonl');
    expect([code, stderr]).toEqual([1, expect.stringContaining('/nowhere/users.jsonl')]);
  });
});
