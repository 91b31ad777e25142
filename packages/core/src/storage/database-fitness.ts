import type { Connection } from './connection-pool.js';
import { databaseErrorCode } from './database-error.js';
import type { Database } from './database.js';
import { MigrationError } from './migration-error.js';

interface Session {
  encoding: string;
  database: string;
  role: string;
  /** The first existing schema of the search path that the role may use; null without one. */
  schema: string | null;
}

const SESSION = `
  select current_setting('server_encoding') as encoding, current_database()::text as database,
    current_user::text as role, current_schema()::text as schema`;

/** SQLSTATE of a missing right, and of a search path without a schema to create tables in. */
const WITHOUT_RIGHT = '42501';
const WITHOUT_SCHEMA = '3F000';

/** @throws MigrationError unless the database can store every character. */
export async function assertUtf8(connection: Connection): Promise<void> {
  const { encoding, database } = await sessionOf(connection);
  if (encoding === 'UTF8') return;
  throw new MigrationError(
    `The database ${quoted(database)} has the encoding ${encoding}, which cannot store every name. Create another one, and set ` +
      `DATABASE_URL to it: CREATE DATABASE ${quoted(`${database}_utf8`)} TEMPLATE template0 ENCODING 'UTF8'.`,
  );
}

/** Creates the schema of `DATABASE_SCHEMA` if it does not exist. */
export async function createSchema(connection: Connection, schema: string): Promise<void> {
  const { rows } = await connection.query<{ exists: boolean }>(
    'select exists (select from pg_namespace where nspname = $1) as exists',
    [schema],
  );
  // IF NOT EXISTS alone needs the right to create schemas, although there is nothing to create.
  if (rows[0]?.exists !== true) await connection.query(`create schema if not exists ${quoted(schema)}`);
}

/** Returns the right that is missing, and the statement that grants it, if an error means that; undefined otherwise. */
export async function missingRight(error: unknown, database: Database): Promise<MigrationError | undefined> {
  const code = databaseErrorCode(error);
  if (code !== WITHOUT_RIGHT && code !== WITHOUT_SCHEMA) return undefined;
  const session = await database.withConnection(sessionOf);
  const reason = error instanceof Error ? error.message : '';
  return new MigrationError(rightsMessage(session, database.schema, reason), error);
}

function rightsMessage(session: Session, wanted: string | undefined, reason: string): string {
  const role = quoted(session.role);
  const schema = quoted(wanted ?? session.schema ?? session.role);
  const problem = `The role ${role} may not do this in the database ${quoted(session.database)}: ${reason}.`;
  if (reason.includes(' for database ') || (session.schema === null && wanted === undefined)) {
    return `${problem} As an administrator run: CREATE SCHEMA ${schema} AUTHORIZATION ${role}.`;
  }
  if (reason.startsWith('must be owner')) {
    return `${problem} Run the migrations with the role that owns the tables.`;
  }
  if (/ for (?:table|relation|view|sequence) /.test(reason)) {
    return `${problem} As their owner run: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}.`;
  }
  return (
    `${problem} As an administrator run: GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${role}. ` +
    'Or set DATABASE_SCHEMA to a schema that this role owns.'
  );
}

async function sessionOf(connection: Connection): Promise<Session> {
  const { rows } = await connection.query<Session>(SESSION);
  const [session] = rows;
  if (!session) throw new Error('the server returned no session');
  return session;
}

/** Returns a name as SQL needs it. */
const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
