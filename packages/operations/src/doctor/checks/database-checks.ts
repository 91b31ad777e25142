import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import type { MigrationStatus } from '@latchkey/core/internal/storage/migrator';
import { check, error, ok, reachCheck, warning, type Check, type Verdict } from '../check.js';

/** `server_version_num` of the oldest tested PostgreSQL. */
const OLDEST = 150_000;
const SLOW_MS = 100;
/** The tolerance in token times, in milliseconds. */
const TOLERATED = 5_000;
const NOTICEABLE = 1_000;
const LONG_TRANSACTION_SECONDS = 300;
/** Share of the connections beyond which the next deployment may exceed the limit. */
const FULL = 0.8;

export const databaseChecks: readonly Check[] = [
  reachCheck({
    id: 'database.reachable',
    group: 'Database',
    title: 'The database answers',
    why: 'Everything except the key set and /health requires it.',
    reaches: 'database',
    fix: remedyFor,
    absent: (reason) => warning(reason, 'start the service (npm start), or set DATABASE_URL'),
    judge: ({ settings, clock }) => {
      const found = `PostgreSQL ${settings.server_version}, ${clock.roundTrip.toFixed(1)} ms round trip`;
      return clock.roundTrip > SLOW_MS
        ? warning(found, 'run the service closer to the database: each request waits for it several times')
        : ok(found);
    },
  }),
  check({
    id: 'database.version',
    group: 'Database',
    title: 'PostgreSQL is 15 or newer',
    why: 'Older versions are neither tested nor maintained.',
    needs: ['database'],
    judge: ({ database: { settings } }) =>
      Number(settings.server_version_num) >= OLDEST
        ? ok(settings.server_version)
        : error(settings.server_version, 'upgrade the server'),
  }),
  check({
    id: 'database.encoding',
    group: 'Database',
    title: 'The database stores every character',
    why: 'In any encoding but UTF8 a name with a character that it lacks is rejected, and the service does not start.',
    needs: ['database'],
    judge: ({ database: { settings } }) =>
      settings.server_encoding === 'UTF8'
        ? ok('UTF8')
        : error(
            settings.server_encoding,
            'create another one (TEMPLATE template0 ENCODING UTF8), and point DATABASE_URL to it',
          ),
  }),
  check({
    id: 'database.rights',
    group: 'Database',
    title: 'The account has the rights that it needs',
    why: 'Requests that touch a table without rights fail, and pending migrations need the right to create tables.',
    needs: ['database', 'schema'],
    judge: ({ database: { role, schema, lacking, mayCreate }, schema: migrations }) => {
      if (lacking.length > 0) {
        const fix = `grant ${role} the rights on all tables of ${schema}: docs/databases.md#rights-in-the-database`;
        return error(`${role} may not read and change ${lacking.join(', ')}`, fix);
      }
      const isPending = migrations.some(({ state }) => state === 'pending');
      return isPending && !mayCreate
        ? error(
            `${role} may not create tables in ${schema}`,
            `GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${role}; or set DATABASE_SCHEMA to a schema that it owns`,
          )
        : ok(role);
    },
  }),
  check({
    id: 'database.primary',
    group: 'Database',
    title: 'The database can be written to',
    why: 'A standby or a read-only server answers queries, but every sign-in fails.',
    needs: ['database'],
    judge: ({ database: { isStandby, settings } }) => {
      if (isStandby)
        return error('it is a standby', 'point DATABASE_URL to the primary, or promote this server');
      return settings.default_transaction_read_only === 'on'
        ? error(
            'transactions are read-only',
            'set default_transaction_read_only to off for this database and account',
          )
        : ok('a primary');
    },
  }),
  check({
    id: 'database.clock',
    group: 'Database',
    title: 'The clocks of this machine and the database agree',
    why: 'Tokens carry the time of the machine that signs them; other machines reject them if it is off by 5 seconds.',
    needs: ['database'],
    judge: ({ database: { clock } }) => {
      const off = Math.max(0, Math.abs(clock.ahead) - clock.uncertainty);
      const found = `${(off / 1000).toFixed(off < NOTICEABLE ? 3 : 1)} s apart`;
      if (off <= NOTICEABLE) return ok(found);
      return (off > TOLERATED ? error : warning)(found, 'synchronise both with NTP (timedatectl status)');
    },
  }),
  check({
    id: 'database.connections',
    group: 'Database',
    title: 'The server has enough connections for all replicas',
    why: 'If the server has no connection left, requests fail with 503, and operators cannot connect either.',
    needs: ['database', 'settings', 'replicas'],
    judge: ({ database, settings, replicas }) => {
      const { max_connections: most, superuser_reserved_connections: reserved } = database.settings;
      const available = Math.min(
        Number(most) - Number(reserved),
        database.ownLimit ?? Number.POSITIVE_INFINITY,
      );
      const wanted = replicas * settings.database.poolMax;
      const found = `${replicas} × ${settings.database.poolMax} of ${available}, and ${database.otherConnections} used by others now`;
      const fix = 'lower DATABASE_POOL_MAX, raise max_connections, or put a pooler in between';
      if (wanted + database.otherConnections > available) return error(found, fix);
      return wanted + database.otherConnections > FULL * available ? warning(found, fix) : ok(found);
    },
  }),
  check({
    id: 'database.pooler',
    group: 'Database',
    title: 'Prepared statements work with the pooler',
    why: 'A pooler in transaction mode that cannot hold them makes hot statements fail once and be retried.',
    needs: ['database', 'settings'],
    judge: ({ database: { pooler }, settings }) => {
      if (!pooler) return ok('no pooler');
      if (!settings.database.preparedStatements) return ok('a pooler, and prepared statements are off');
      if (pooler.holdsPrepared === true) return ok('a pooler that holds prepared statements');
      const fix =
        'set DATABASE_PREPARED_STATEMENTS=false; or use PgBouncer 1.21 or newer with max_prepared_statements';
      return warning(
        pooler.holdsPrepared === false
          ? 'a pooler that loses prepared statements, and they are on'
          : 'a pooler; its support of prepared statements could not be determined',
        fix,
      );
    },
  }),
  check({
    id: 'database.transactions',
    group: 'Database',
    title: 'No transaction stays open for long',
    why: 'Meanwhile vacuum removes no rows: tables that are written with each refresh grow and become slow.',
    needs: ['database'],
    judge: ({ database: { oldestTransaction: seconds } }) =>
      seconds > LONG_TRANSACTION_SECONDS
        ? warning(
            `one has been open for ${roundedDurationText(seconds)}`,
            'find and end it: SELECT pid, application_name, state, xact_start FROM pg_stat_activity ORDER BY xact_start',
          )
        : ok('none that this account can see'),
  }),
  check({
    id: 'database.trigrams',
    group: 'Database',
    title: 'Parts of names can be searched quickly',
    why: 'Without the extension pg_trgm each search for a name reads the whole table of users.',
    needs: ['database'],
    judge: ({ database: { hasTrigrams } }) =>
      hasTrigrams
        ? ok('pg_trgm is installed')
        : warning(
            'pg_trgm is missing',
            'run: CREATE EXTENSION pg_trgm; CREATE INDEX users_full_name_trigrams ON users USING gin (full_name gin_trgm_ops)',
          ),
  }),
  reachCheck({
    id: 'database.schema',
    group: 'Database',
    title: 'The schema is the one of this version',
    why: 'The service applies pending migrations at its start, and does not start if a migration was changed or is newer and incompatible.',
    reaches: 'schema',
    fix: (_reason, fix = 'set MIGRATIONS_PATH to the folder of migrations, or remove it') => fix,
    judge: (schema) => {
      const named = (state: string) => schema.filter((migration) => migration.state === state).map(fileName);
      const changed = named('changed');
      if (changed.length > 0) {
        return error(`changed: ${changed.join(', ')}`, 'restore the files as they were applied');
      }
      const missing = named('missing');
      if (missing.length > 0) {
        return error(`missing: ${missing.join(', ')}`, 'restore the files as they were applied');
      }
      const newer = schema.filter(({ state }) => state === 'newer');
      if (newer.length > 0) return judgeNewer(newer);
      const pending = named('pending');
      return pending.length > 0
        ? warning(`pending: ${pending.join(', ')}`, 'latchkey migrate up')
        : ok(`${schema.length} migrations, all applied`);
    },
  }),
];

/** Judges migrations that a newer version of the program has applied: this one runs on compatible ones only. */
function judgeNewer(newer: readonly MigrationStatus[]): Verdict {
  const names = newer.map(fileName).join(', ');
  return newer.every(({ compatible }) => compatible === true)
    ? warning(
        `newer than this program, which can run on it: ${names}`,
        'return to the version of the program that applied them when you can',
      )
    : error(
        `newer than this program: ${names}`,
        'run the version of the program that applied them, or restore an earlier backup',
      );
}

/** Returns the fix for a failure. A server that names a database has answered, so its address is right. */
function remedyFor(reason: string, fix: string | undefined): string {
  if (fix !== undefined) return fix;
  return /^database ".*" does not exist/.test(reason)
    ? 'create that database, or correct its name in DATABASE_URL'
    : 'check that it runs and that DATABASE_URL is its address';
}

const fileName = ({ version, name }: { version: string; name: string }): string => `${version}_${name}.sql`;
