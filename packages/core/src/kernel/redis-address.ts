export interface RedisAddress {
  tls: boolean;
  hosts: { host: string; port: number }[];
  username?: string;
  password?: string;
  /** The number of the database. */
  database: number;
  /** The name of the master, for Sentinel. */
  master: string;
  sentinel: boolean;
}

const FORM =
  /^(?<scheme>rediss?(?:\+sentinel)?):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^/?#]*)(?:\/(?<database>\d+))?)?$/i;

/**
 * Reads the address of one server, of the nodes of a cluster, or of Sentinels. The settings check addresses with this function, and
 * connections are made from its result.
 * @throws TypeError that says what to write, without any part of the address: it may contain a password.
 */
export function readRedisAddress(url: string): RedisAddress {
  const text = url.trim().replaceAll(/\s*,\s*/g, ',');
  const isTls = /^rediss/i.test(text);
  const nodes = text.split(',').slice(1);
  if (nodes.some((node) => node.includes('://') && isTls !== /^rediss:/i.test(node))) {
    throw new TypeError(
      'the nodes of a list have different schemes; write redis:// or rediss:// for all of them',
    );
  }
  const parts = FORM.exec(text.replaceAll(/,rediss?:\/\//gi, ','))?.groups;
  if (!parts) throw new TypeError(problemOf(text));
  const { scheme = '', user = '', password = '', hosts = '', path = '', database } = parts;
  const sentinel = /\+sentinel$/i.test(scheme);
  if (sentinel ? path === '' : database !== undefined || !/^\d*$/.test(path)) {
    throw new TypeError('ends in neither the number of a database nor, for Sentinel, the name of a master');
  }
  return {
    tls: isTls,
    sentinel,
    database: Number(sentinel ? (database ?? 0) : path),
    master: path,
    hosts: hosts.split(',').map((host) => readHost(host, sentinel ? 26_379 : 6_379)),
    ...(user && { username: decoded('user', user) }),
    ...(password && { password: decoded('password', password) }),
  };
}

function problemOf(text: string): string {
  if (!/^rediss?(?:\+sentinel)?:\/\//i.test(text)) return 'does not start with redis:// or rediss://';
  if (/[?#]/.test(text)) {
    return 'has no parameters; write rediss:// for TLS and /1 for a database, and encode ? and # in the password';
  }
  return 'the host cannot be read; encode characters such as @ : / ? # in the password (%40 for @)';
}

function readHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text);
  const port = Number(match?.[2] ?? defaultPort);
  if (match?.[1] === undefined || port < 1 || port > 65_535) {
    throw new TypeError('the host cannot be read; write a host name, an address, or host:port');
  }
  return { host: match[1].replaceAll(/[[\]]/g, ''), port };
}

function decoded(part: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(`${part}: a % does not begin an encoded character; write %25`);
  }
}
