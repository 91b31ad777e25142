import { kindOf, Problem, readList } from './setting-kind.js';

/** A PostgreSQL address with one host, or with a list of hosts as libpq accepts it before the name of the database. */
export const postgresUrl = kindOf(
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
    return faultOfPostgresQuery(text) ?? text;
  },
);

/** Selects the in-process store instead of an address. */
export const IN_MEMORY = 'memory:';

/** A Redis address: one server, the nodes of a cluster, or sentinels with the name of their master; or `memory:`. */
export const redisUrl = kindOf(
  'redis://host:6379 or rediss://…, comma-separated nodes of a cluster, or redis+sentinel://host:26379,host:26379/name, or memory: for one process without Redis',
  (given) => {
    if (given.toLowerCase() === IN_MEMORY) return IN_MEMORY;
    const text = given.replace(/\s*,\s*/g, ',');
    const faulty = new Problem('not a Redis address');
    if (/\s/.test(text)) return new Problem('contains white space');
    if (/^rediss?\+sentinel:\/\//i.test(text)) return isSentinelUrl(text) ? text : faulty;
    if (!/^rediss?:\/\//i.test(text)) return new Problem('does not start with redis:// or rediss://');
    const nodes = readList(text, (node) => (isRedisNode(node) ? node : faulty));
    return nodes instanceof Problem ? nodes : text;
  },
);

/** An SMTP server address; `smtps` speaks TLS from the first byte. */
export const smtpUrl = kindOf('smtp://user:password@host:587 (or smtps://)', (text) => {
  if (!/^smtps?:\/\//i.test(text)) return new Problem('does not start with smtp:// or smtps://');
  if (!URL.canParse(text) || new URL(text).hostname === '') return new Problem('the host cannot be read');
  return faultOfSmtpQuery(new URL(text)) ?? text;
});

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

/** Rejects what would be ignored: a list in a parameter, and a kind of server that the service cannot use. */
function faultOfPostgresQuery(text: string): Problem | undefined {
  const parameters = new URLSearchParams(text.split('?')[1]);
  if (['host', 'port'].some((name) => parameters.get(name)?.includes(','))) {
    return new Problem('names several hosts in a parameter; write them before the name of the database');
  }
  const target = parameters.get('target_session_attrs') ?? 'any';
  return ['any', 'read-write', 'primary'].includes(target)
    ? undefined
    : new Problem('target_session_attrs must be read-write or any: the service writes to the database');
}

function isSentinelUrl(text: string): boolean {
  const parts = /^rediss?\+sentinel:\/\/(?<authority>[^/?#]+)\/[^/?#]+(?:\/\d+)?$/i.exec(text)?.groups;
  return parts !== undefined && areHosts(afterLast('@', parts.authority ?? ''));
}

/** Only the first node of a cluster needs to name the scheme. */
function isRedisNode(node: string): boolean {
  const url = node.includes('://') ? node : `redis://${node}`;
  if (!/^rediss?:/i.test(url)) return false;
  return URL.canParse(url) && new URL(url).hostname !== '';
}

/** Comma-separated `host`, `host:port` or `[ipv6]:port`; empty means a local socket. */
function areHosts(text: string): boolean {
  return text.split(',').every((host) => /^(?:\[[0-9a-f:.]+\]|[^:@[\]]*)(?::\d{1,5})?$/i.test(host));
}

function afterLast(mark: string, text: string): string {
  return text.slice(text.lastIndexOf(mark) + 1);
}
