import { postgresUrl, redisUrl } from '../kinds/connection-kinds.js';
import { boolean, integer, text } from '../kinds/plain-kinds.js';
import { defaulted, optional, secret } from '../setting-definition.js';

export const storageDefinitions = [
  secret({
    name: 'DATABASE_URL',
    group: 'Database',
    kind: postgresUrl,
    default: 'an embedded database, outside production',
    description:
      'The authentication database: one host, the primary or what leads to it. Required in production.',
    example: 'postgres://latchkey:password@localhost:5432/latchkey',
  }),
  defaulted({
    name: 'DATABASE_POOL_MAX',
    group: 'Database',
    kind: integer(1, 500),
    default: '10',
    description: 'The most database connections one process opens.',
  }),
  defaulted({
    name: 'DATABASE_PREPARED_STATEMENTS',
    group: 'Database',
    kind: boolean,
    default: 'true',
    description: 'Off for a PgBouncer in transaction mode that cannot hold named prepared statements.',
  }),
  defaulted({
    name: 'MIGRATIONS_PATH',
    group: 'Database',
    kind: text('a directory path'),
    default: 'migrations/',
    description:
      "Where Latchkey's SQL migrations lie, from the working directory; those of the package when they are not there.",
  }),
  secret({
    name: 'REDIS_URL',
    group: 'Redis',
    kind: redisUrl,
    default: 'a store inside the process, outside production',
    description:
      'Redis: one server, a cluster, or sentinels. Required in production, where `memory:` chooses the store inside the ' +
      'process on purpose: for one process on a database, and a restart forgets what is in it.',
    example: 'redis://localhost:6379',
  }),
  defaulted({
    name: 'REDIS_KEY_PREFIX',
    group: 'Redis',
    kind: text('text without white space', /^\S+$/),
    default: 'latchkey:',
    description: 'The beginning of every key in Redis.',
  }),
  secret({
    name: 'FINANCE_DATABASE_URL',
    group: 'Finance database',
    kind: postgresUrl,
    default: 'unset: companies cannot be resolved',
    description:
      'The finance database, one host, only ever read, in which company identifiers are looked up.',
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
    description: 'The query that finds companies; it answers the columns `id`, `code` and `name`.',
    example: 'SELECT id, code, name FROM firms WHERE code = $1',
  }),
] as const;
