import { splitDatabaseHosts } from '../../kernel/database-hosts.js';
import { readPostgresAddress } from '../../kernel/postgres-address.js';
import { readRedisAddress } from '../../kernel/redis-address.js';
import { faultOfPostgresParameters, type SchemaAdvice } from './postgres-parameters.js';
import { kindOf, Problem, type SettingKind } from './setting-kind.js';

/** The address of the authentication database. */
export const postgresUrl = postgresUrlKind({
  text: 'set DATABASE_SCHEMA',
  allowsSearchPath: false,
});

/** The address of the finance database, whose schema is not ours. */
export const financeUrl = postgresUrlKind({
  text: 'name the schema in FINANCE_COMPANY_QUERY, or write options=-c%20search_path%3Dname',
  allowsSearchPath: true,
});

/** A PostgreSQL address with one host, or with a list of hosts as libpq accepts it before the name of the database. */
function postgresUrlKind(schemaAdvice: SchemaAdvice): SettingKind<string> {
  return kindOf(
    'postgres://user:password@host:5432/database (or postgresql://, or several hosts: host:5432,host:5432)',
    (text) => {
      const parts = /^postgres(?:ql)?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/is.exec(text)?.groups;
      if (!parts) return new Problem('does not start with postgres:// or postgresql://');
      if (/\s/.test(text)) return new Problem('contains white space');
      const hosts = afterLast('@', parts.authority ?? '');
      if (!areHosts(hosts) || (hosts.includes(',') && hosts.split(',').some((host) => host === ''))) {
        return new Problem(
          'the host cannot be read; encode characters such as @ : / ? # in the password (%40 for @)',
        );
      }
      return faultOfPostgresUrl(text, schemaAdvice) ?? text;
    },
  );
}

/** Selects the in-process store instead of an address. */
export const IN_MEMORY = 'memory:';

/** A Redis address: one server, the nodes of a cluster, or sentinels with the name of their master; or `memory:`. */
export const redisUrl = kindOf(
  'redis://host:6379 or rediss://…, comma-separated nodes of a cluster, or redis+sentinel://host:26379,host:26379/name, or memory: for one process without Redis',
  (given) => {
    if (given.toLowerCase() === IN_MEMORY) return IN_MEMORY;
    const text = given.replace(/\s*,\s*/g, ',');
    if (/\s/.test(text)) return new Problem('contains white space');
    return asProblem(() => {
      readRedisAddress(text);
      return text;
    });
  },
);

/** Returns the message of a reader as a problem. */
function asProblem<Value>(read: () => Value): Value | Problem {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new Problem(error.message);
  }
}

/** An SMTP server address; `smtps` speaks TLS from the first byte. */
export const smtpUrl = kindOf('smtp://user:password@host:587 (or smtps://)', (text) => {
  if (!/^smtps?:\/\//i.test(text)) return new Problem('does not start with smtp:// or smtps://');
  if (/\s/.test(text)) return new Problem('contains white space');
  if (!URL.canParse(text) || new URL(text).hostname === '') return new Problem('the host cannot be read');
  return faultOfSmtpParts(new URL(text)) ?? faultOfSmtpQuery(new URL(text)) ?? text;
});

/** Rejects what would be ignored, and a login that could not be read when a connection is made. */
function faultOfSmtpParts({ pathname, hash, username, password }: URL): Problem | undefined {
  if (hash !== '') return new Problem('contains a #; encode it in the password as %23');
  if (pathname !== '' && pathname !== '/') {
    return new Problem('contains a path; encode / in the password as %2F, or remove the path');
  }
  if (username === '' && password !== '') return new Problem('has a password without a user');
  return isDecodable(username) && isDecodable(password)
    ? undefined
    : new Problem('user and password: a % does not begin an encoded character; write %25');
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text).isWellFormed();
  } catch {
    return false;
  }
}

/** A misspelled parameter must not count as a choice about TLS. */
function faultOfSmtpQuery({ protocol, searchParams }: URL): Problem | undefined {
  const [first, ...others] = [...searchParams];
  if (first === undefined) return undefined;
  const [name, value] = first;
  if (others.length > 0 || name !== 'tls') return new Problem('accepts only the parameter tls, once');
  if (protocol === 'smtps:')
    return new Problem('accepts no parameter tls after smtps://, which is TLS already');
  return value === 'none' || value === 'required'
    ? undefined
    : new Problem('tls is neither none nor required');
}

/** Rejects what would be ignored, and what cannot be read when a connection is made. */
function faultOfPostgresUrl(text: string, schemaAdvice: SchemaAdvice): Problem | undefined {
  return asProblem(() => {
    // The parameters are the same for every host of a list.
    const address = readPostgresAddress(text.replace(HOST_LIST, '$1$2'));
    if (['host', 'port'].some((name) => address.parameters.get(name)?.includes(',') === true)) {
      return new Problem('names several hosts in a parameter; write them before the name of the database');
    }
    const fault = faultOfPostgresParameters(address, schemaAdvice);
    if (fault !== undefined) return new Problem(fault);
    for (const url of splitDatabaseHosts(text).urls) readPostgresAddress(url);
    return undefined;
  });
}

/** The hosts after the first one of a list. */
const HOST_LIST = /^([a-z]+:\/\/(?:[^/?#]*@)?[^,/?#@]*)(?:,[^/?#@]*)?([^]*)$/i;

/** Comma-separated `host`, `host:port` or `[ipv6]:port`; empty means a local socket. */
function areHosts(text: string): boolean {
  return text.split(',').every((host) => /^(?:\[[0-9a-f:.]+\]|[^:@[\]]*)(?::\d{1,5})?$/i.test(host));
}

function afterLast(mark: string, text: string): string {
  return text.slice(text.lastIndexOf(mark) + 1);
}
