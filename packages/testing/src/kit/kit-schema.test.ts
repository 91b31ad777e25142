import pg from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createAuth, readSettings } from '@latchkey/core';
import { createTestAuth, type TestAuthOptions } from './create-test-auth.js';
import type { TestAuth } from './test-auth.js';

async function kitWith(options: TestAuthOptions): Promise<TestAuth> {
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, ...options });
  onTestFinished(() => kit.close());
  return kit;
}

function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  onTestFinished(() => pool.end());
  return pool;
}

const withOptions = (options: string): string => {
  const url = new URL(inject('postgres').url);
  url.searchParams.set('options', options);
  return url.href;
};

describe('a kit whose tables have a schema of their own', () => {
  it('a kit keeps all its tables in its schema, and tables of the app refer to them', async () => {
    const kit = await kitWith({ schema: 'latchkey' });
    const pool = poolOf(kit.databaseUrl);
    const { rows } = await pool.query<{ schema: string }>(
      `SELECT DISTINCT schemaname AS schema FROM pg_tables WHERE tablename IN ('users', 'sessions', 'schema_migrations')`,
    );
    expect(rows).toEqual([{ schema: 'latchkey' }]);
    await pool.query('CREATE SCHEMA app');
    await pool.query(
      'CREATE TABLE app.notes (id int PRIMARY KEY, owner uuid REFERENCES latchkey.users (id))',
    );
    const { id } = await kit.user();
    await pool.query('INSERT INTO app.notes VALUES (1, $1)', [id]);
  });

  it('a kit moves the clock of its schema: sessions end, and so do rows of the app', async () => {
    const kit = await kitWith({ schema: 'latchkey' });
    const pool = poolOf(kit.databaseUrl);
    const { refreshToken } = await kit.user();
    await kit.clock.advance('31d');
    await expect(kit.auth.refresh.refresh(refreshToken)).rejects.toMatchObject({ code: 'unauthorized' });
    const { rows } = await pool.query<{ now: Date }>('SELECT now() AS now');
    expect(rows[0]?.now.getTime()).toBeGreaterThan(Date.now() + 30 * 86_400_000);
  });

  it('an app that opens the database itself finds the schema of the kit', async () => {
    const kit = await kitWith({ schema: 'latchkey' });
    const JWT_SIGNING_KEY_PEM = kit.auth.settings.tokens.signingKeyPem?.reveal();
    const settings = readSettings({ APP_ENV: 'test', DATABASE_URL: kit.databaseUrl, JWT_SIGNING_KEY_PEM });
    const own = await createAuth(settings, { migrate: false });
    onTestFinished(() => own.close());
    const { accessToken } = await kit.user();
    expect((await own.authenticator.authenticate(accessToken)).user.isActive).toBe(true);
  });

  it.each(['Latchkey', 'a b', 'pg_own', 'latchkey_clock', 'x; DROP SCHEMA public', '1st'])(
    'a kit rejects the schema name %j',
    async (schema) => {
      await expect(kitWith({ schema })).rejects.toThrow("Write: createTestAuth({ schema: 'latchkey' })");
    },
  );
});

describe('a clock that would not move', () => {
  it.each(['-c search_path=latchkey,public', '--search_path=public'])(
    'a databaseUrl with the options %s is rejected, since its clock would not move',
    async (options) => {
      await expect(kitWith({ databaseUrl: withOptions(options) })).rejects.toEqual(
        new TypeError(
          'databaseUrl must not bring a search path: the kit has its own, in which its clock moves. ' +
            "Leave options out, and name the schema. Write: createTestAuth({ databaseUrl, schema: 'latchkey' })",
        ),
      );
    },
  );

  it('a search path in PGOPTIONS is rejected', async () => {
    // The template exists already: the check applies to the database of the kit.
    await kitWith({});
    vi.stubEnv('PGOPTIONS', '-c search_path=public');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(kitWith({})).rejects.toThrow(
      /clock of the test kit could not move.*search path public.*PGOPTIONS/,
    );
  });

  it('a search path in PGOPTIONS is rejected before a template is created', async () => {
    vi.stubEnv('PGOPTIONS', '-c search_path=public');
    await expect(kitWith({ schema: 'never_made' })).rejects.toThrow(/clock of the test kit could not move/);
    vi.unstubAllEnvs();
    const kit = await kitWith({ schema: 'never_made' });
    const { rows } = await poolOf(kit.databaseUrl).query<{ column_default: string }>(
      `SELECT column_default FROM information_schema.columns
       WHERE table_schema = 'never_made' AND table_name = 'users' AND column_name = 'created_at'`,
    );
    expect(rows[0]?.column_default).toBeDefined();
    await kit.clock.advance('1d');
    expect((await kit.user()).id).toBeDefined();
  });

  it('other options in PGOPTIONS are accepted', async () => {
    const kit = await kitWith({ databaseUrl: withOptions('-c work_mem=8MB') });
    await kit.clock.advance('1h');
    expect((await kit.user()).id).toBeDefined();
  });
});
