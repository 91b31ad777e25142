import type { MigrationStatus } from '../../storage/migrator.js';
import { check, error, ok, reachCheck, warning, type Check, type Verdict } from '../check.js';
import { inWords } from '../situation.js';

/** `server_version_num` of the oldest PostgreSQL that the tests have seen. */
const OLDEST = 150_000;
const SLOW_MS = 100;
/** The tolerance in token times, in milliseconds. */
const TOLERATED = 5_000;
const NOTICEABLE = 1_000;
const LONG_TRANSACTION_SECONDS = 300;
/** Share of the connections beyond which the next deployment has no room. */
const FULL = 0.8;

export const databaseChecks: readonly Check[] = [
  reachCheck({
    id: 'database.reachable',
    group: 'Database',
    title: 'The database answers',
    why: 'Everything but the key set and /health needs it.',
    reaches: 'database',
    fix: remedyFor,
    absent: (reason) => warning(reason, 'start the service (npm start), or set DATABASE_URL'),
    judge: ({ settings, clock }) => {
      const found = `PostgreSQL ${settings.server_version}, ${clock.roundTrip.toFixed(1)} ms away`;
      return clock.roundTrip > SLOW_MS
        ? warning(
            found,
            'bring service and database closer together: each request waits for it more than once',
          )
        : ok(found);
    },
  }),
  check({
    id: 'database.version',
    group: 'Database',
    title: 'PostgreSQL is 15 or newer',
    why: 'Older ones are not tested, and their makers no longer fix them.',
    needs: ['database'],
    judge: ({ database: { settings } }) =>
      Number(settings.server_version_num) >= OLDEST
        ? ok(settings.server_version)
        : error(settings.server_version, 'upgrade the server'),
  }),
  check({
    id: 'database.primary',
    group: 'Database',
    title: 'The database can be written to',
    why: 'A standby, or a server that is read-only, answers questions and refuses every sign-in.',
    needs: ['database'],
    judge: ({ database: { isStandby, settings } }) => {
      if (isStandby)
        return error('it is a standby', 'let DATABASE_URL lead to the primary, or promote this one');
      return settings.default_transaction_read_only === 'on'
        ? error(
            'transactions are read-only',
            'turn default_transaction_read_only off for this database and account',
          )
        : ok('a primary');
    },
  }),
  check({
    id: 'database.clock',
    group: 'Database',
    title: 'The clocks of this machine and the database agree',
    why: 'Tokens carry the time of the machine that signs them; others refuse them when it is 5 seconds off.',
    needs: ['database'],
    judge: ({ database: { clock } }) => {
      const off = Math.max(0, Math.abs(clock.ahead) - clock.uncertainty);
      const found = `${(off / 1000).toFixed(off < NOTICEABLE ? 3 : 1)} s apart`;
      if (off <= NOTICEABLE) return ok(found);
      return (off > TOLERATED ? error : warning)(found, 'keep both by NTP (timedatectl status)');
    },
  }),
  check({
    id: 'database.connections',
    group: 'Database',
    title: 'The pools of all replicas fit',
    why: 'When the server has no connection left, requests fail with 503, and operators cannot get in either.',
    needs: ['database', 'settings', 'replicas'],
    judge: ({ database, settings, replicas }) => {
      const { max_connections: most, superuser_reserved_connections: reserved } = database.settings;
      const room = Math.min(Number(most) - Number(reserved), database.ownLimit ?? Number.POSITIVE_INFINITY);
      const wanted = replicas * settings.database.poolMax;
      const found = `${replicas} × ${settings.database.poolMax} of ${room}, and ${database.otherConnections} of others now`;
      const fix = 'lower DATABASE_POOL_MAX, raise max_connections, or put a pooler in between';
      if (wanted + database.otherConnections > room) return error(found, fix);
      return wanted + database.otherConnections > FULL * room ? warning(found, fix) : ok(found);
    },
  }),
  check({
    id: 'database.pooler',
    group: 'Database',
    title: 'Prepared statements fit what is in between',
    why: 'A pooler in transaction mode that cannot hold them makes hot statements fail once and run again.',
    needs: ['database', 'settings'],
    judge: ({ database: { pooler }, settings }) => {
      if (!pooler) return ok('no pooler in between');
      if (!settings.database.preparedStatements) return ok('a pooler, and prepared statements are off');
      if (pooler.holdsPrepared === true) return ok('a pooler that holds prepared statements');
      const fix =
        'set DATABASE_PREPARED_STATEMENTS=false; or use PgBouncer 1.21 or newer with max_prepared_statements';
      return warning(
        pooler.holdsPrepared === false
          ? 'a pooler that loses prepared statements, and they are on'
          : 'a pooler; whether it holds prepared statements could not be found out',
        fix,
      );
    },
  }),
  check({
    id: 'database.transactions',
    group: 'Database',
    title: 'No transaction stays open for long',
    why: 'While it does, vacuum removes nothing: tables that are written with each refresh grow and become slow.',
    needs: ['database'],
    judge: ({ database: { oldestTransaction: seconds } }) =>
      seconds > LONG_TRANSACTION_SECONDS
        ? warning(
            `one is open for ${inWords(seconds)}`,
            'find it: SELECT pid, application_name, state, xact_start FROM pg_stat_activity ORDER BY xact_start',
          )
        : ok('none as far as this account can see'),
  }),
  check({
    id: 'database.trigrams',
    group: 'Database',
    title: 'Names can be searched by their parts',
    why: 'Without the extension pg_trgm each search for a name reads the whole table of users.',
    needs: ['database'],
    judge: ({ database: { hasTrigrams } }) =>
      hasTrigrams
        ? ok('pg_trgm is there')
        : warning(
            'pg_trgm is missing',
            'run: CREATE EXTENSION pg_trgm; CREATE INDEX users_full_name_trigrams ON users USING gin (full_name gin_trgm_ops)',
          ),
  }),
  reachCheck({
    id: 'database.schema',
    group: 'Database',
    title: 'The schema is the one of this version',
    why: 'The service applies what is pending when it starts, and does not start when a migration was changed.',
    reaches: 'schema',
    fix: 'let MIGRATIONS_PATH lead to the folder of migrations, or remove it',
    judge: (schema) => {
      const named = (state: string) => schema.filter((migration) => migration.state === state).map(fileName);
      const changed = named('changed');
      if (changed.length > 0) {
        return error(`changed: ${changed.join(', ')}`, 'restore the files as they were applied');
      }
      const missing = named('missing');
      if (missing.length > 0) return judgeMissing(schema, missing);
      const pending = named('pending');
      return pending.length > 0
        ? warning(`pending: ${pending.join(', ')}`, 'latchkey migrate up')
        : ok(`${schema.length} migrations, all applied`);
    },
  }),
];

/** Newer than every file: another version of the program has been here. */
function judgeMissing(schema: readonly MigrationStatus[], missing: readonly string[]): Verdict {
  const last = schema.findLast(({ state }) => state !== 'missing')?.version ?? '';
  const isNewer = schema.every(({ state, version }) => state !== 'missing' || version > last);
  return isNewer
    ? error(
        `newer than this program: ${missing.join(', ')}`,
        'run the version of the program that applied them, or restore the backup from before',
      )
    : error(`missing: ${missing.join(', ')}`, 'restore the files as they were applied');
}

/** The server answered when it names an account or a database; then it is not its address that is wrong. */
function remedyFor(reason: string): string {
  if (reason.startsWith('no pg_hba')) return 'let pg_hba.conf admit the user of DATABASE_URL from here';
  if (/^role ".*" does not exist/.test(reason))
    return 'create that role, or correct the user in DATABASE_URL';
  if (/^database ".*" does not exist/.test(reason)) {
    return 'create that database, or correct its name in DATABASE_URL';
  }
  if (reason.startsWith('password authentication failed')) return 'correct user and password in DATABASE_URL';
  return 'check that it runs, and that DATABASE_URL leads to it';
}

const fileName = ({ version, name }: { version: string; name: string }): string => `${version}_${name}.sql`;
