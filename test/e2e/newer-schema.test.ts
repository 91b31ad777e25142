import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { runCliHere } from '../support/cli-process.js';
import { openConnection } from '../support/open-connection.js';
import { launchService, startService } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';

const PASSWORD = 'a slow river bend';

interface Planted {
  compatible: boolean;
  reason?: string;
}

/** A migrated database to which a newer version has applied one more migration, as its ledger says. */
async function databaseOfNewerVersion({ compatible, reason }: Planted): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const client = await openConnection(database.url);
  await client.query('ALTER TABLE users ADD COLUMN nickname text');
  await client.query(
    `INSERT INTO schema_migrations (version, name, checksum, compatible, incompatible_reason)
     VALUES ('9999', 'nicknames', 'of the future', $1, $2)`,
    [compatible, reason],
  );
  await client.end();
  return database.url;
}

const settings = (DATABASE_URL: string) => ({
  APP_ENV: 'test',
  DATABASE_URL,
  JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
  AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
});

describe('a schema that a newer version has migrated', () => {
  it('a service starts on a compatible newer schema, says so, and serves', async () => {
    const service = await startService({ env: settings(await databaseOfNewerVersion({ compatible: true })) });
    const client = new ApiClient(service.url);
    onTestFinished(async () => {
      client.close();
      await service.stop();
    });
    expect(service.output()).toContain(
      'The database schema is newer than this program, which can run on it.',
    );
    // It answers before it has logged that it is ready.
    await expect.poll(() => service.output()).toMatch(/"newerMigrations":\["9999_nicknames\.sql"\]/);

    const email = 'ada@example.com';
    const created = await client.call('POST', '/internal/admin/users', {
      headers: { 'x-internal-api-key': INTERNAL_KEY },
      body: { email, fullName: 'Ada', password: PASSWORD },
    });
    expect(created.status, created.text).toBe(201);
    const signedIn = await client.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect(signedIn.status, signedIn.text).toBe(200);
    const { refreshToken } = signedIn.data;
    const refreshed = await client.call('POST', '/auth/refresh', { body: { refreshToken } });
    expect(refreshed.status, refreshed.text).toBe(200);
    expect((await client.call('GET', '/auth/me', { token: refreshed.data.accessToken })).status).toBe(200);
  });

  it('a service refuses an incompatible newer schema with the reason of the migration', async () => {
    const reason = 'users.email is split in two';
    const env = settings(await databaseOfNewerVersion({ compatible: false, reason }));
    const service = await launchService({ env });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output()).toContain('The database has 9999_nicknames.sql, which is newer than ');
    expect(service.output()).toContain(`this program cannot run on it: ${reason}. Start the newer program`);
  });

  it('commands of operators run on a compatible newer schema, and doctor and migrate status name it', async () => {
    const env = { DATABASE_URL: await databaseOfNewerVersion({ compatible: true }) };
    expect(await runCliHere(['users', 'list'], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await runCliHere(['doctor'], { env })).stdout).toMatch(
      /^warning\tdatabase\.schema\tnewer than this program, which can run on it: 9999_nicknames\.sql\treturn to the version/m,
    );
    const status = await runCliHere(['migrate', 'status', '--check'], { env });
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(status.stdout).toMatch(/^9999\tnicknames\tnewer\ttrue\t/m);
    expect((await runCliHere(['migrate', 'up'], { env })).stdout).toBe(
      'The schema is newer than this version, which can run on it: 9999_nicknames.sql.\n',
    );
  });

  it('commands of operators refuse an incompatible newer schema, and migrate status --check fails', async () => {
    const env = { DATABASE_URL: await databaseOfNewerVersion({ compatible: false, reason: 'too new' }) };
    const listed = await runCliHere(['users', 'list'], { env });
    expect(listed).toMatchObject({ code: 1, stdout: '' });
    expect(listed.stderr).toContain('this program cannot run on it: too new.');
    const status = await runCliHere(['migrate', 'status', '--check'], { env });
    expect(status.code).toBe(1);
    expect(status.stderr).toContain('Run the version of the program that applied the newer migrations.');
  });
});
