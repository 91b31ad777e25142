import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '@latchkey/core';
import type { CheckReport } from '@latchkey/operations';
import { startEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';
import { run } from '../../packages/cli/src/run.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { describeOnTerminal, runCliHere, runCliOnTerminal } from '../support/cli-process.js';
import { RecordingTerminal } from '../support/recording-terminal.js';
import { createTestDatabase } from '../support/test-database.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('latchkey doctor', () => {
  it('doctor prints one line for each check, and exits with 1 for warnings only with --strict', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const env = { DATABASE_URL: database.url };
    const { code, stdout, stderr } = await runCliHere(['doctor'], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\d+ warnings, no error\.\n$/);
    const lines = stdout.split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(25);
    for (const line of lines)
      expect(line).toMatch(/^(ok|warning|error|skipped)\t[a-z]+\.[a-z_]+\t[^\t]+\t[^\t]*$/);
    expect(lines).toContain('warning\tdatabase.superadmin\tnone\tlatchkey bootstrap');

    const strict = await runCliHere(['doctor', '--strict', '--quiet'], { env });
    expect(strict.code).toBe(1);
    expect(strict.stdout.split('\n')).toContain('database.superadmin');
    expect(strict.stdout).not.toContain('database.reachable');
    expect(strict.stderr).toMatch(/^error: 0 errors, \d+ warnings\.\n$/);
  });

  it('doctor exits with 1 for an error, and prints all checks as JSON', async () => {
    const env = { DATABASE_URL: 'postgres://ann:hidden-word@127.0.0.1:1/auth' };
    const { code, stdout, stderr } = await runCliHere(['doctor', '--json', '--replicas', '3'], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: 1 error, /);
    const reports = JSON.parse(stdout) as CheckReport[];
    expect(reports.find(({ id }) => id === 'database.reachable')).toEqual({
      id: 'database.reachable',
      group: 'Database',
      title: 'The database answers',
      status: 'error',
      found: expect.stringContaining('ECONNREFUSED') as string,
      why: 'Everything except the key set and /health requires it.',
      fix: 'check that it runs and that DATABASE_URL is its address',
    });
    expect(stdout).not.toContain('hidden-word');
  });

  it('doctor explains why a dependency does not respond, and suggests a fix', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const url = new URL(database.url);
    url.username = 'somebody_else';
    const port = await freePort();
    const env = { DATABASE_URL: url.href, CORE_BASE_URL: `http://127.0.0.1:${port}` };
    const { stdout } = await runCliHere(['doctor'], { env });
    expect(stdout).toMatch(
      /^error\tdatabase\.reachable\t[^\t]*"somebody_else"[^\t]*\t[^\t]*user[^\t]* in DATABASE_URL$/m,
    );
    expect(stdout).toMatch(
      new RegExp(`^error\tcore\\.reachable\t.*ECONNREFUSED 127\\.0\\.0\\.1:${port}\t`, 'm'),
    );
  });

  it('doctor does not ask for the files of a schema that is newer than the program', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool.query(
      `INSERT INTO schema_migrations SELECT (jsonb_populate_record(m, '{"version":"9999","name":"from_the_future"}')).*
       FROM schema_migrations m LIMIT 1`,
    );
    await pool.end();
    const { stdout } = await runCliHere(['doctor'], { env: { DATABASE_URL: database.url } });
    expect(stdout).toMatch(
      /^error\tdatabase\.schema\tnewer than this program: 9999_from_the_future\.sql\trun the version of the program/m,
    );
  });

  it('doctor checks the embedded database of a service without settings', async () => {
    const dataDir = await temporaryFolder();
    const embedded = await startEmbeddedPostgres({ dataDir, logger: silentLogger });
    onTestFinished(() => embedded.stop());
    const { stdout } = await runCliHere(['doctor'], { env: { DATABASE_URL: '', DATA_DIR: dataDir } });
    expect(stdout).toMatch(/^ok\tdatabase\.reachable\tPostgreSQL /m);
    expect(stdout).toMatch(/^ok\tdatabase\.fsync\ton\t$/m);
    expect(stdout).toMatch(/^ok\tsettings\.embedded\tembedded: database, /m);
  });

  it('doctor names invalid settings', async () => {
    const { code, stdout } = await runCliHere(['doctor'], { env: { PORT: 'x' } });
    expect(code).toBe(1);
    expect(stdout).toContain('error\tsettings.valid\tPORT: missing or wrong\tlatchkey config check\n');
  });

  it('doctor groups the checks for people, with reasons and fixes', async () => {
    const terminal = new RecordingTerminal({ tty: true, columns: 100 });
    const folder = process.cwd();
    process.chdir(await temporaryFolder());
    try {
      expect(await run(['doctor'], terminal)).toBe(0);
    } finally {
      process.chdir(folder);
    }
    expect(terminal.stdout).toContain(
      '\n\nDatabase\n  ! Expected: The database answers. Found: DATABASE_URL is not set',
    );
    expect(terminal.stdout).toContain(
      '\n    why  Everything except the key set and /health requires it.\n    fix  start the service',
    );
    expect(terminal.stdout).toContain('  - Redis answers, and 5 more (REDIS_URL is not set)\n');
    expect(terminal.stdout).toMatch(/ {2}✓ Every setting is present and valid: /);
  });

  describeOnTerminal('on a terminal', () => {
    it('doctor colours its marks, except under NO_COLOR', async () => {
      const nothing = () => undefined;
      const painted = await runCliOnTerminal(['doctor'], nothing);
      expect(painted.stdout).toContain('\u001b[32m✓\u001b[39m');
      const plain = await runCliOnTerminal(['doctor'], nothing, { env: { NO_COLOR: '1' } });
      expect(plain.stdout).toContain('  ✓ Every setting');
      expect(plain.stdout).not.toContain('\u001b[3');
    });
  });
});

describe('latchkey config', () => {
  it('config show prints value and origin of every setting, and no secret', async () => {
    const folder = await temporaryFolder();
    const key = join(folder, 'machine-key');
    await writeFile(key, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n');
    const env = {
      PORT: '4000',
      DATABASE_URL: 'postgres://ann:hidden-word@db.example.com/auth',
      AUTH_INTERNAL_API_KEY_FILE: key,
    };
    const { code, stdout, stderr } = await runCliHere(['config', 'show'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'PORT\t4000\tenvironment',
        'AUTH_BASE_URL\thttp://localhost:4000\tderived',
        'LOG_LEVEL\tinfo\tdefault',
        'REDIS_URL\t\tdefault',
        'DATABASE_URL\tset\tenvironment',
      ]),
    );
    expect(stdout).toMatch(/^AUTH_INTERNAL_API_KEY\tsha256:[0-9a-f]{8}\tfile:.*machine-key$/m);
    expect(stdout).not.toContain('hidden-word');
  });

  it('config show --only-set omits defaults, also as JSON', async () => {
    const env = { PORT: '3097', LOG_LEVEL: 'debug' };
    const { stdout } = await runCliHere(['config', 'show', '--only-set', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual([
      { name: 'LOG_LEVEL', value: 'debug', origin: 'environment', secret: false, isDefault: false },
      { name: 'PORT', value: '3097', origin: 'environment', secret: false, isDefault: true },
    ]);
  });

  it('config show groups settings for people under the headings of the documentation', async () => {
    const terminal = new RecordingTerminal({ tty: true, columns: 100 });
    expect(await run(['config', 'show', '--env-file', '/dev/null'], terminal)).toBe(0);
    expect(terminal.stdout).toMatch(/^Service\n {2}APP_ENV +development +default\n/);
    expect(terminal.stdout).toContain('\n\nHTTP\n');
  });

  it('config check reports every fault with its fix, warns of names similar to settings, and exits with 1', async () => {
    const file = join(await temporaryFolder(), 'production.env');
    await writeFile(
      file,
      'APP_ENV=production\nDATABSE_URL=postgres://ann:hidden-word@localhost/auth\nPORT=x\n',
    );
    const { code, stdout, stderr } = await runCliHere(['config', 'check', '--env-file', file], {
      env: { DATABASE_URL: 'postgres://localhost/not-looked-at' },
    });
    expect(code).toBe(1);
    expect(stderr).toBe('error: 5 settings are missing or invalid: the service would not start.\n');
    const remarks = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(remarks.map(([kind, name]) => [kind, name])).toEqual([
      ['fault', 'PORT'],
      ['fault', 'DATABASE_URL'],
      ['fault', 'REDIS_URL'],
      ['fault', 'JWT_SIGNING_KEY_PEM'],
      ['fault', 'AUTH_BASE_URL'],
      ['warning', 'DATABSE_URL'],
    ]);
    expect(remarks[0]?.[2]).toBe(`"x" from the file ${file}`);
    expect(remarks.at(-1)?.at(-1)).toContain('did you mean DATABASE_URL?');
    expect(stdout).not.toContain('hidden-word');
  });

  it('config check of valid settings exits with 0', async () => {
    expect(await runCliHere(['config', 'check', '--json'], { env: { PORT: '4000' } })).toEqual({
      code: 0,
      stdout: '{\n  "faults": [],\n  "warnings": []\n}\n',
      stderr: 'The settings are valid.\n',
    });
  });

  it('config check reports a missing file', async () => {
    const { code, stdout } = await runCliHere(['config', 'check', '--env-file', '/nowhere.env']);
    expect(code).toBe(1);
    expect(stdout).toContain('fault\t/nowhere.env\ta file that cannot be read (ENOENT)');
  });
});
