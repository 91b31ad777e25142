import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createAuth, readSettings, type CreateAuthOptions, type VerifyingAuth } from '@latchkey/core';
import { createAuthRouter, createGuards } from '@latchkey/express-adapter';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';
import { openConnection } from '../support/open-connection.js';

let kit: TestAuth;
let guarding: VerifyingAuth;
let host: GuardedHost;
let role: string;
let environment: Record<string, string>;

const sql = async (text: string): Promise<Record<string, unknown>[]> => {
  const client = await openConnection(kit.databaseUrl);
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
};

beforeAll(async () => {
  kit = await createTestAuth({ databaseUrl: inject('postgres').url });
  role = `guard_${new URL(kit.databaseUrl).pathname.slice(1)}`;
  await sql(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA public, latchkey_clock TO ${role};
    GRANT SELECT ON ALL TABLES IN SCHEMA public, latchkey_clock TO ${role};`);
  const url = new URL(kit.databaseUrl);
  url.username = role;
  const privatePem = kit.auth.settings.tokens.signingKeyPem?.reveal() ?? '';
  environment = {
    APP_ENV: 'production',
    DATABASE_URL: url.href,
    JWT_VERIFICATION_KEYS_PEM: createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString(),
    JWT_ISSUER: kit.auth.settings.tokens.issuer,
  };
  guarding = await createAuth(readSettings(environment, 'verification'), {
    verifyOnly: true,
    entitlements: () => ({ modules: ['billing'], accessPolicyMode: 'ENFORCED' }),
  });
  host = await startGuardedHost(guarding, (mount, { requireAuth, requireAccess, requireRole }) => {
    mount('/auth', requireAuth);
    mount('/module', requireAccess({ module: 'billing' }));
    mount('/staff', requireRole('PLATFORM_ADMIN'));
  });
});

afterAll(async () => {
  await host.stop();
  await guarding.close();
  await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await kit.close();
});

const ask = async (path: string, headers: Record<string, string>) =>
  host.client.send('GET', path, { headers });

describe('a process that only verifies, with public keys and a read-only role', () => {
  it('a verify-only process lets in users who are signed in and hold the required access, and writes nothing', async () => {
    const ann = await kit.user({ company: 'acme', modules: ['billing'] });
    const before = await sql('SELECT max(last_used_at) AS used, count(*) AS rows FROM sessions');
    expect(await ask('/auth', { ...ann.headers })).toMatchObject({ status: 200 });
    expect(await ask('/module', { ...ann.headers })).toMatchObject({ status: 200 });
    expect(await sql('SELECT max(last_used_at) AS used, count(*) AS rows FROM sessions')).toEqual(before);
  });

  it('a verify-only process denies what is not granted, and no row of the audit log is written', async () => {
    const bob = await kit.user({ company: 'acme' });
    const count = () => sql('SELECT count(*) AS rows FROM auth_audit_logs');
    const before = await count();
    expect(await ask('/module', { ...bob.headers })).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await ask('/staff', { ...bob.headers })).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await count()).toEqual(before);
  });

  it('a verify-only process refuses an ended session at once', async () => {
    const ann = await kit.user();
    expect(await ask('/auth', { ...ann.headers })).toMatchObject({ status: 200 });
    await kit.auth.sessions.logout(ann.refreshToken);
    expect(await ask('/auth', { ...ann.headers })).toMatchObject({ status: 401, code: 'session_revoked' });
    expect(await ask('/auth', {})).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a verify-only process has nothing that would sign or write, and no router', () => {
    expect(Object.keys(guarding).sort()).toEqual(
      [
        'access',
        'apiKeys',
        'audit',
        'authenticator',
        'close',
        'facts',
        'isClosed',
        'logger',
        'settings',
      ].sort(),
    );
    expect(() => createAuthRouter(guarding as never)).toThrow(
      'auth was created with verifyOnly and supports guards only. Write:',
    );
    expect(() => createGuards(guarding)).not.toThrow();
  });
});

it('settings for verification need the public keys, and no signing key, in production', () => {
  expect(() => readSettings({ APP_ENV: 'production' }, 'verification')).toThrow(
    /2 settings[^]*DATABASE_URL[^]*JWT_VERIFICATION_KEYS_PEM/,
  );
});

it('createAuth with verifyOnly refuses options that need more, and settings without public keys', async () => {
  const settings = readSettings(environment, 'verification');
  const call = createAuth as unknown as (...args: unknown[]) => Promise<unknown>;
  const withHooks = { verifyOnly: true, before: {} };
  await expect(call(settings, withHooks)).rejects.toThrow(
    'createAuth with verifyOnly: unknown option before. Options are verifyOnly, logger, entitlements.',
  );
  const without = readSettings({ DATABASE_URL: environment.DATABASE_URL });
  await expect(createAuth(without, { verifyOnly: true })).rejects.toThrow(/verifyOnly needs the public keys/);
});

it('verifyOnly: false has no effect', async () => {
  const settings = readSettings({ DATABASE_URL: 'postgres://app@127.0.0.1:1/none' });
  const options = { verifyOnly: false } as CreateAuthOptions;
  await expect(createAuth(settings, options)).rejects.toMatchObject({ code: 'service_unavailable' });
});
