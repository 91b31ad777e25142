/** A failure of the database that lasts until something is changed, and what to change. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  /** The SQLSTATE, or Node's code. */
  readonly code: string | undefined;
  /** The remedy, as an instruction. `DATABASE_URL` means the address of this database. */
  readonly fix: string;

  constructor(problem: string, fix: string, cause?: unknown) {
    super(problem, { cause });
    this.fix = fix;
    this.code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  }
}

const VERIFY =
  'set sslrootcert in DATABASE_URL to the certificate of the authority that signed it, or sslmode=no-verify to encrypt without verification';

/** Fixes by the codes of PostgreSQL, OpenSSL and Node. */
const FIX_BY_CODE: Readonly<Record<string, string>> = {
  '28P01': 'correct user and password in DATABASE_URL',
  '3D000': 'create that database, or correct its name in DATABASE_URL',
  '42501':
    'grant the user of DATABASE_URL the right: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA … TO …',
  DEPTH_ZERO_SELF_SIGNED_CERT: VERIFY,
  SELF_SIGNED_CERT_IN_CHAIN: VERIFY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: VERIFY,
  UNABLE_TO_GET_ISSUER_CERT: VERIFY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: VERIFY,
  CERT_UNTRUSTED: VERIFY,
  CERT_SIGNATURE_FAILURE: VERIFY,
  CERT_HAS_EXPIRED: 'renew the certificate of the server, and check the clock of this machine',
  CERT_NOT_YET_VALID: 'check the clock of this machine and the certificate of the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'write the host in DATABASE_URL as the certificate names it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'check that host and port in DATABASE_URL are those of PostgreSQL with TLS',
  ERR_OSSL_PEM_NO_START_LINE: 'set sslrootcert, sslcert and sslkey in DATABASE_URL to files in PEM format',
};

/** Fixes by the words of the driver and of messages that PostgreSQL does not translate. */
const FIX_BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /no PostgreSQL user name specified/,
    'name the user in DATABASE_URL: postgres://user:password@host/database',
  ],
  [/^no pg_hba\.conf entry/, 'allow the user of DATABASE_URL from this machine in pg_hba.conf'],
  [/^role ".*" does not exist/, 'create that role, or correct the user in DATABASE_URL'],
  [
    /^role ".*" is not permitted to log in/,
    'allow it (ALTER ROLE … LOGIN), or correct the user in DATABASE_URL',
  ],
  [/authentication failed/, 'correct user and password in DATABASE_URL'],
  [
    /client password must be a string/,
    'write the password in DATABASE_URL: postgres://user:password@host/database',
  ],
  [/does not support SSL connections/, 'turn TLS on at the server, or set sslmode=disable in DATABASE_URL'],
  [
    /establishing an SSL connection/,
    'check that host and port in DATABASE_URL are those of PostgreSQL with TLS',
  ],
];

/** PostgreSQL's class of invalid authorizations. */
const AUTHORIZATION = '28';

/** Returns the fault that an error of the driver means, or undefined if it may pass by itself. */
export function databaseFaultOf(error: Error): DatabaseFault | undefined {
  if (error instanceof DatabaseFault) return error;
  const { code } = error as NodeJS.ErrnoException;
  const byWords = FIX_BY_WORDS.find(([words]) => words.test(error.message))?.[1];
  const fix = (code === undefined ? undefined : FIX_BY_CODE[code]) ?? byWords ?? fixOfClass(code);
  return fix === undefined ? undefined : new DatabaseFault(error.message, fix, error);
}

function fixOfClass(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (code.startsWith(AUTHORIZATION))
    return 'correct user and password in DATABASE_URL, or the rights of the user';
  return /^ERR_(?:SSL|OSSL|TLS)_|^CERT_/.test(code)
    ? 'check sslmode and the certificates in DATABASE_URL, and the TLS of the server'
    : undefined;
}
