import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { Auth, BeforeHooks, SecondFactorRequired } from '@latchkey/core';
import { accessLog, createAuthRouter, type AccessLogEntry } from '@latchkey/express-adapter';
import { openAuth } from '../../packages/core/src/compose/open-auth.js';
import { openDatabase } from '../../packages/core/src/compose/open-database.js';
import { systemClock } from '../../packages/core/src/kernel/clock.js';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import type { SecondFactorCheck } from '../../packages/core/src/sessions/sign-in-completer.js';
import { readSettings } from '../../packages/core/src/settings/read-settings.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import type { ApiClient } from './api-client.js';
import { startHostApp } from './host-app.js';
import { freshEmail } from './invitation-client.js';
import type { Sql } from './service.js';
import { createTestDatabase } from './test-database.js';
import { testKeys } from './test-keys.js';
import { LEAST_PASSWORD_COST, PASSWORD } from './test-users.js';
import { waitUntil } from './wait-until.js';

const OPERATOR = { kind: 'operator', name: 'tests' } as const;

/** The response to every sign-in that is asked for a second factor. */
export const REQUIRED: SecondFactorRequired = {
  secondFactor: { challenge: 'challenge-of-the-tests', methods: ['passkey'], expiresIn: 300 },
};

/** Requires a second factor of every sign-in. */
export const requireAlways: SecondFactorCheck = () => Promise.resolve(REQUIRED);

export interface SecondFactorHost {
  auth: Auth;
  client: ApiClient;
  /** The address for browsers. */
  url: string;
  sql: Sql;
  log: AccessLogEntry[];
  createUser: () => Promise<{ id: string; email: string; password: string }>;
  /** Invites a new address to a new company. */
  invite: () => Promise<{ email: string; token: string; companyId: string }>;
}

interface HostOptions {
  check?: SecondFactorCheck;
  before?: BeforeHooks;
  env?: Record<string, string>;
}

/** Starts a host app whose sign-ins are checked by `check`, for the length of one test. */
export async function secondFactorHost(options: HostOptions = {}): Promise<SecondFactorHost> {
  const { check = requireAlways, before, env } = options;
  const [database, port] = await Promise.all([createTestDatabase(), freePort()]);
  const read = readSettings({
    APP_ENV: 'test',
    DATABASE_URL: database.url,
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    AUTH_BASE_URL: `http://localhost:${port}`,
    ...env,
  });
  const settings = { ...read, passwords: { ...read.passwords, argon2: LEAST_PASSWORD_COST } };
  const auth = await openAuth(settings, openDatabase(settings, silentLogger), {
    logger: silentLogger,
    clock: systemClock,
    before,
    secondFactorCheck: check,
  });
  const log: AccessLogEntry[] = [];
  const { client, stop } = await startHostApp((app) => {
    app.use(accessLog((entry) => void log.push(entry)));
    app.use(createAuthRouter(auth));
  }, port);
  const pool = new Pool({ connectionString: database.url, max: 2 });
  onTestFinished(async () => {
    await stop();
    await Promise.all([auth.close(), pool.end()]);
    await database.drop();
  });
  const sql: Sql = async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows;
  return { auth, client, url: `http://localhost:${port}`, sql, log, ...peopleOf(auth) };
}

function peopleOf(auth: Auth): Pick<SecondFactorHost, 'createUser' | 'invite'> {
  const createUser = async () => {
    const email = freshEmail();
    const { id } = await auth.admin.users.create(OPERATOR, { email, password: PASSWORD });
    return { id, email, password: PASSWORD };
  };
  const invite = async () => {
    const [{ id }, companyId, email] = [await createUser(), randomUUID(), freshEmail()];
    await auth.memberships.upsertCompany(OPERATOR, companyId, { userId: id, role: 'ADMIN' });
    const { accessToken } = await auth.sessionMinting.mint(OPERATOR, id);
    const admin = await auth.authenticator.authenticateWithMemberships(accessToken);
    await auth.invitations.create(admin, companyId, { email, metadata: { companyName: 'Acme' } });
    const mail = await waitUntil(() => auth.inbox?.list().find(({ to }) => [to].flat().includes(email)), {
      what: `the invitation of ${email}`,
    });
    return { email, token: /token=([\w-]+)/.exec(mail.text)?.[1] ?? '', companyId };
  };
  return { createUser, invite };
}
