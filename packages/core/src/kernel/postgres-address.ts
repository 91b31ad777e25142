/** The parts of a PostgreSQL address with one host, decoded. */
export interface PostgresAddress {
  user: string | undefined;
  password: string | undefined;
  /** A name, an address, or the folder of a socket; undefined if none is named. */
  host: string | undefined;
  port: number | undefined;
  database: string | undefined;
  parameters: ReadonlyMap<string, string>;
}

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<account>[^/?#]*)@)?(?<host>\[[^\]/?#]*\]|[^:/?#[\]]*)(?::(?<port>\d{0,5}))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

/**
 * Reads an address with one host. The settings check addresses with this function, and connections are made from its result,
 * so that no part is understood in two ways.
 * @throws TypeError that names the part that cannot be read, without any of it: addresses contain passwords.
 */
export function readPostgresAddress(url: string): PostgresAddress {
  const parts = FORM.exec(url)?.groups;
  if (!parts) throw new TypeError('the address cannot be read');
  const { account = '', host = '', port = '', database = '', query = '' } = parts;
  const colon = account.indexOf(':');
  const parameters = readParameters(query);
  const given = (name: string, text: string) => parameters.get(name) ?? orUndefined(text);
  return {
    user: given('user', decode('user', colon < 0 ? account : account.slice(0, colon))),
    password: given('password', colon < 0 ? '' : decode('password', account.slice(colon + 1))),
    host: given('host', decode('host', host.replace(/^\[(.*)\]$/, '$1'))),
    port: portOf(given('port', port)),
    database: given('dbname', decode('database', database)),
    parameters,
  };
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split('&').filter((each) => each !== '')) {
    const equals = part.indexOf('=');
    if (equals < 0) throw new TypeError(`the parameter ${shownName(part)} has no value`);
    const name = part.slice(0, equals);
    if (parameters.has(name)) throw new TypeError(`the parameter ${shownName(name)} comes twice`);
    // Programs that build an address by URLSearchParams write spaces as +; options are words with spaces between them.
    const value = name === 'options' ? part.slice(equals + 1).replaceAll('+', ' ') : part.slice(equals + 1);
    parameters.set(name, decode(shownName(name), value));
  }
  return parameters;
}

/** Returns the name of a parameter if it is a plain one; others may be a part of a password. */
export const shownName = (name: string): string => (/^[\w-]{1,40}$/.test(name) ? name : 'after ?');

function decode(part: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(`${part}: a % does not begin an encoded character; write %25`);
  }
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new TypeError('the port is not a number from 1 to 65535');
  return port;
}

const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text);
