import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** Drops the database, whoever is still connected to it. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** False: an empty database. Default: true, all migrations have run. */
  migrated?: boolean;
}

/** A database of its own for a test file, cloned in some 30 ms on the server that the whole run shares. */
export async function createTestDatabase({
  migrated = true,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject('postgres');
  if (migrated && server.migrationFailure !== undefined) throw new Error(server.migrationFailure);
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`;
  await createDatabase(server.url, name, migrated ? server.template : 'template0');
  return {
    url: databaseUrl(server.url, name),
    drop: () => withAdmin(server.url, `drop database if exists ${name} with (force)`),
  };
}

/** The same server and account, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Another clone of the same template may run at this moment: PostgreSQL then answers 55006. */
async function createDatabase(
  serverUrl: string,
  name: string,
  template: string,
  attempts = 50,
): Promise<void> {
  try {
    // For small databases copying files is several times faster than writing them to the log.
    await withAdmin(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  } catch (error) {
    const busy = error instanceof pg.DatabaseError && error.code === '55006';
    if (!busy || attempts <= 1) throw error;
    await sleep(50);
    await createDatabase(serverUrl, name, template, attempts - 1);
  }
}

async function withAdmin(serverUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client(serverUrl);
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
