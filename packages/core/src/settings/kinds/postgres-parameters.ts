import { nearNames } from '../../kernel/near-names.js';
import { shownName, type PostgresAddress } from '../../kernel/postgres-address.js';

/** The values of a parameter: those of a list, or any text. */
type Values = readonly string[] | 'any';

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The parameters that connections are made from. */
const KNOWN: Readonly<Record<string, Values>> = {
  application_name: 'any',
  channel_binding: ['disable', 'prefer'],
  client_encoding: ['UTF8', 'utf8', 'UTF-8', 'utf-8', 'auto'],
  dbname: 'any',
  host: 'any',
  options: 'any',
  password: 'any',
  port: 'any',
  ssl: ['true', 'false', '1', '0', 'no-verify'],
  sslcert: 'any',
  sslkey: 'any',
  sslmode: SSL_MODES,
  sslnegotiation: ['postgres', 'direct'],
  sslrootcert: 'any',
  target_session_attrs: ['any', 'read-write', 'primary'],
  user: 'any',
};

/** The replacements of parameters and values that other drivers know. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['sslmode=allow', 'sslmode=allow may connect in plain text; write sslmode=verify-full, or sslmode=disable'],
  [
    'sslmode=prefer',
    'sslmode=prefer may connect in plain text; write sslmode=verify-full, or sslmode=disable',
  ],
  [
    'channel_binding=require',
    'channel_binding=require cannot be enforced; write channel_binding=prefer and sslmode=verify-full',
  ],
  ['connect_timeout', 'remove connect_timeout: a connection is given up after 2 seconds'],
  ['connection_limit', 'remove connection_limit; set DATABASE_POOL_MAX'],
  ['pool_max', 'remove pool_max; set DATABASE_POOL_MAX'],
  ['pgbouncer', 'remove pgbouncer; set DATABASE_PREPARED_STATEMENTS=false if the pooler needs it'],
  ['prepareThreshold', 'remove prepareThreshold; set DATABASE_PREPARED_STATEMENTS'],
  ['fallback_application_name', 'write application_name'],
]);

/** Parameters by which other drivers name the schema. */
const SCHEMA_NAMES = ['schema', 'currentschema', 'search_path', 'searchpath'];

/**
 * Returns what to write in place of a parameter that is not understood: one that is ignored could have been a choice about
 * TLS.
 * @param schemaAdvice says where the schema is named.
 */
export function faultOfPostgresParameters(
  { host, parameters }: PostgresAddress,
  schemaAdvice: SchemaAdvice,
): string | undefined {
  for (const [name, value] of parameters) {
    const fault = faultOfSchema(name, value, schemaAdvice) ?? faultOfParameter(name, value);
    if (fault !== undefined) return fault;
  }
  return faultOfTls(host, parameters);
}

export interface SchemaAdvice {
  readonly text: string;
  /** True if `options` may set the search path. */
  readonly allowsSearchPath: boolean;
}

function faultOfSchema(name: string, value: string, advice: SchemaAdvice): string | undefined {
  if (SCHEMA_NAMES.includes(name.toLowerCase()))
    return `${shownName(name)} is not a parameter; ${advice.text}`;
  if (name !== 'options' || advice.allowsSearchPath || !/search_path/i.test(value)) return undefined;
  return `options sets search_path; ${advice.text}`;
}

function faultOfParameter(name: string, value: string): string | undefined {
  const values = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const advice = ADVICE.get(`${name}=${value}`) ?? ADVICE.get(name);
  if (advice !== undefined) return advice;
  if (values === undefined) {
    const [near] = nearNames(name, Object.keys(KNOWN));
    return `${shownName(name)} is not a known parameter; ${near === undefined ? 'remove it' : `write ${near}`}`;
  }
  if (name === 'target_session_attrs' && values !== 'any' && !values.includes(value)) {
    return 'target_session_attrs must be read-write or any: the service writes to the database';
  }
  return values === 'any' || values.includes(value)
    ? undefined
    : `${name} must be one of ${values.join(', ')}`;
}

function faultOfTls(host: string | undefined, parameters: ReadonlyMap<string, string>): string | undefined {
  const has = (name: string) => parameters.has(name);
  const mode = parameters.get('sslmode');
  if (has('ssl') && has('sslmode')) return 'ssl and sslmode contradict each other; remove ssl';
  if (has('sslcert') !== has('sslkey')) return 'sslcert and sslkey belong together; write both';
  const files = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => has(name));
  if (files !== undefined && (mode === undefined || mode === 'disable')) {
    return `${files} has no effect without TLS; write sslmode=verify-full`;
  }
  const isEncrypted =
    mode !== undefined ? mode !== 'disable' : !['false', '0', undefined].includes(parameters.get('ssl'));
  if (parameters.get('sslnegotiation') === 'direct' && !isEncrypted) {
    return 'sslnegotiation=direct has no effect without TLS; write sslmode=verify-full';
  }
  return host?.startsWith('/') === true && isEncrypted ? 'a socket has no TLS; remove sslmode' : undefined;
}
