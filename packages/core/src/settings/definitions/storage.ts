import { financeUrl, postgresUrl, redisUrl } from '../kinds/connection-kinds.js';
import { boolean, integer, text } from '../kinds/plain-kinds.js';
import { defaulted, optional, secret } from '../setting-definition.js';

export const storageDefinitions = [
  secret({
    name: 'DATABASE_URL',
    group: 'Database',
    kind: postgresUrl,
    default: 'an embedded database, outside production',
    description:
      'The authentication database: the primary, a proxy or name that leads to it, or a comma-separated list of hosts, of which ' +
      'the one that accepts writes is used (`target_session_attrs=any` uses the first that answers). Required in production.',
    example: 'postgres://latchkey:password@localhost:5432/latchkey',
  }),
  optional({
    name: 'DATABASE_SCHEMA',
    group: 'Database',
    kind: text(
      'a name of small letters, digits and _ that does not begin with a digit or pg_',
      /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/,
    ),
    default: 'the search path of the account, which usually begins with `public`',
    description:
      'The schema of the tables, so that they can share a database with others. `latchkey migrate up` and the start create it.',
    example: 'latchkey',
  }),
  defaulted({
    name: 'DATABASE_POOL_MAX',
    group: 'Database',
    kind: integer(1, 500),
    default: '10',
    description: 'Maximum number of database connections per process.',
  }),
  defaulted({
    name: 'DATABASE_PREPARED_STATEMENTS',
    group: 'Database',
    kind: boolean,
    default: 'true',
    description:
      'Set to `false` for a PgBouncer in transaction mode that does not support named prepared statements.',
  }),
  defaulted({
    name: 'MIGRATIONS_PATH',
    group: 'Database',
    kind: text('a directory path'),
    default: 'migrations/',
    description:
      'Folder of the SQL migrations, relative to the working directory. Defaults to those of the package if it does not exist.',
  }),
  secret({
    name: 'REDIS_URL',
    group: 'Redis',
    kind: redisUrl,
    default: 'the in-process store, outside production',
    description:
      'Redis: one server, a cluster, or sentinels. Required in production. `memory:` selects the in-process store: one ' +
      'process per database, and a restart loses its contents.',
    example: 'redis://localhost:6379',
  }),
  defaulted({
    name: 'REDIS_KEY_PREFIX',
    group: 'Redis',
    kind: text('text without white space', /^\S+$/),
    default: 'latchkey:',
    description: 'The prefix of every key in Redis.',
  }),
  secret({
    name: 'FINANCE_DATABASE_URL',
    group: 'Finance database',
    kind: financeUrl,
    default: 'unset: companies cannot be resolved',
    description:
      'The finance database for company lookup. Read only. Of several hosts the first that answers is used.',
    example: 'postgres://reader:password@localhost:5432/finance',
  }),
  optional({
    name: 'FINANCE_COMPANY_QUERY',
    group: 'Finance database',
    kind: text(
      'one SQL query with the single parameter $1',
      /^(?=[\s\S]*\$1(?!\d))(?![\s\S]*\$(?!1(?!\d))\d)/,
    ),
    default: 'a lookup in the table `companies`',
    description: 'The query that finds companies. It must return the columns `id`, `code` and `name`.',
    example: 'SELECT id, code, name FROM firms WHERE code = $1',
  }),
] as const;
