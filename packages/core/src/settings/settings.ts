import { IN_MEMORY } from './kinds/connection-kinds.js';
import type { SettingValues } from './setting-definitions.js';

/**
 * The settings in groups, each built from what its definitions have read, so that one can be read while another is faulty.
 * Durations are whole seconds unless the name has another unit. A setting whose default depends on others gets it here.
 */
export const settingParts = {
  environment: (values) => values.APP_ENV,
  http: (values) => ({
    host: values.HOST,
    port: values.PORT,
    /** Public address without a trailing slash. */
    baseUrl: publicAddressOf(values),
    webAppUrl: values.WEB_APP_URL,
    /** Number of proxy hops, or the addresses and CIDR ranges of the proxies. */
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS ?? [],
    forceHttps: values.AUTH_WEB_FORCE_HTTPS ?? values.APP_ENV === 'production',
    cookieMode: values.AUTH_WEB_COOKIE_MODE,
    /** True: the standalone service has the API reference at `/docs`. */
    docs: values.API_DOCS_ENABLED,
  }),
  /** `port` undefined: the metrics are on the main port, with the internal key. */
  metrics: (values) => ({ host: values.METRICS_HOST, port: values.METRICS_PORT }),
  brand: (values) => brandOf(values),
  /** The console of platform staff, at `/console`. */
  console: (values) => ({ enabled: values.CONSOLE_ENABLED ?? values.APP_ENV !== 'production' }),
  /** The pages for administrators of a company, at `/company`. */
  companyPages: (values) => ({ enabled: values.COMPANY_PAGES_ENABLED }),
  /** The language of pages and mails if the user's is unknown. */
  defaultLocale: (values) => values.DEFAULT_LOCALE,
  database: (values) => ({
    /** Undefined: the embedded database, outside production. */
    url: values.DATABASE_URL,
    /** The schema of the tables; undefined: the first one of the search path. */
    schema: values.DATABASE_SCHEMA,
    poolMax: values.DATABASE_POOL_MAX,
    /** False for a PgBouncer that does not support named prepared statements. */
    preparedStatements: values.DATABASE_PREPARED_STATEMENTS,
    migrationsPath: values.MIGRATIONS_PATH,
  }),
  redis: ({ REDIS_URL: url, REDIS_KEY_PREFIX: keyPrefix }) => {
    const inMemory = url?.reveal() === IN_MEMORY;
    return {
      /** Undefined: the in-process store. Comma-separated nodes mean Redis Cluster. */
      url: inMemory ? undefined : url,
      /** True: `memory:` selects the in-process store, for one process per database. */
      inMemory,
      keyPrefix,
    };
  },
  finance: (values) => ({ url: values.FINANCE_DATABASE_URL, companyQuery: values.FINANCE_COMPANY_QUERY }),
  tokens: (values) => tokensOf(values, publicAddressOf(values)),
  sessions: (values) => ({
    refreshTokenTtl: values.REFRESH_TOKEN_TTL,
    maxLifetime: values.SESSION_MAX_LIFETIME,
    /** `isRequired`: minting must name who acts. `maxLifetime`: the absolute limit of a session in which an actor does. */
    acting: { isRequired: values.MINT_ACTOR_REQUIRED, maxLifetime: values.MINT_MAX_LIFETIME },
    reuseGrace: values.REFRESH_REUSE_GRACE,
    coalesceMs: values.REFRESH_COALESCE_MS,
    cacheTtl: values.SESSION_CACHE_TTL,
    /** Undefined: derived from the signing key. The first derives tokens, all are recognized. */
    refreshTokenPeppers: values.REFRESH_TOKEN_PEPPER,
    /** Path of a database of places by IP address. Undefined: sessions have no places. */
    geoipDatabase: values.GEOIP_DATABASE,
  }),
  machine: (values) => ({
    /** Undefined: machine routes return 403. */
    internalApiKeys: values.AUTH_INTERNAL_API_KEY,
    serviceClients: values.SERVICE_CLIENTS,
    serviceTokenTtl: values.SERVICE_TOKEN_TTL,
  }),
  coreService: (values) => ({
    baseUrl: values.CORE_BASE_URL,
    apiKey: values.CORE_INTERNAL_API_KEY,
    timeout: values.CORE_TIMEOUT,
    entitlementsCacheTtl: values.ENTITLEMENTS_CACHE_TTL,
  }),
  /** Addresses that users chose: the ports of https, and what is allowed beside the public internet. */
  outbound: (values) => ({
    ports: values.OUTBOUND_PORTS,
    allowed: values.OUTBOUND_ALLOWED ?? { names: [], networks: [] },
  }),
  /** `send`: this process sends what is queued. */
  webhooks: (values) => ({
    mode: values.WEBHOOKS ?? (values.APP_ENV === 'development' ? 'all' : 'off'),
    send: values.WEBHOOK_SEND,
  }),
  registration: (values) => ({
    enabled: values.PUBLIC_REGISTRATION_ENABLED,
    approval: values.REGISTRATION_APPROVAL,
    emailVerification: values.EMAIL_VERIFICATION,
    /** Domains whose addresses may register, `*.` for those below one; empty: all that are not blocked. */
    domains: values.REGISTRATION_DOMAINS ?? [],
    blockedDomains: values.REGISTRATION_BLOCKED_DOMAINS ?? [],
    /** Canonical addresses that are notified of waiting registrations. */
    noticeTo: values.APPROVAL_NOTICE_TO ?? [],
  }),
  passwords: (values) => ({
    minLength: values.PASSWORD_MIN_LENGTH,
    blocklist: values.PASSWORD_BLOCKLIST ?? values.APP_ENV === 'production',
    /** Path of the list of breached passwords. Undefined: they are not checked. */
    breachList: values.PASSWORD_BREACH_LIST,
    argon2: {
      memoryKib: values.ARGON2_MEMORY_KIB,
      iterations: values.ARGON2_ITERATIONS,
      parallelism: values.ARGON2_PARALLELISM,
    },
    /** Undefined: as many as there are processors. */
    hashingThreads: values.HASHING_THREADS,
  }),
  oneTimeSecrets: (values) => ({
    passwordResetTtl: values.PASSWORD_RESET_TTL,
    invitationTtl: values.INVITATION_TTL,
    handoffTtl: values.HANDOFF_TTL,
  }),
  rateLimits: (values) => ({
    loginPerMinute: values.LOGIN_RATE_LIMIT,
    failMode: values.RATE_LIMIT_FAIL_MODE,
  }),
  /**
   * `stepUp`: maximum age of the sign-in of staff for sensitive actions; undefined for no limit. `acting`: they may sign in as
   * users.
   */
  staff: (values) => ({
    stepUp: values.STAFF_STEP_UP ?? undefined,
    acting: values.STAFF_ACTING ?? values.APP_ENV === 'development',
  }),
  /** True: memberships and invitations are written with known roles only. */
  strictRoles: (values) => values.STRICT_ROLES,
  passkeys: (values) => ({
    enabled: values.PASSKEYS_ENABLED,
    relyingPartyId: values.WEBAUTHN_RP_ID,
    relyingPartyName: values.WEBAUTHN_RP_NAME,
    origins: values.WEBAUTHN_ORIGINS ?? [],
  }),
  /** True: users may sign in by a link or a code that is mailed to them. */
  mailedSignIn: (values) => values.MAILED_SIGN_IN ?? values.APP_ENV === 'development',
  /** `self`: users delete their own account. */
  accountDeletion: (values) => values.ACCOUNT_DELETION ?? (values.APP_ENV === 'development' ? 'self' : 'off'),
  /** True: users may upload a picture. */
  profilePictures: (values) => values.PROFILE_PICTURES ?? values.APP_ENV === 'development',
  external: (values) => ({
    /** Undefined: users sign in here only. */
    providers: values.EXTERNAL_PROVIDERS,
    /** True: the first sign-in creates an account. */
    signUp: values.EXTERNAL_SIGN_UP,
    /** Addresses of front ends that take responses, without the id of the connection. */
    redirectUris: values.EXTERNAL_REDIRECT_URIS ?? [],
  }),
  /** `mode`: the users who need a second factor. */
  secondFactor: (values) => {
    const isPossible = values.ENCRYPTION_KEYS !== undefined || values.APP_ENV !== 'production';
    return { mode: values.SECOND_FACTOR ?? (isPossible ? 'optional' : 'off') };
  },
  /** Days for which a browser is trusted after a second factor; 0: never. It keeps its secret in a cookie. */
  trustedDevices: ({ TRUSTED_DEVICE_DAYS, APP_ENV, AUTH_WEB_COOKIE_MODE }) => ({
    days: TRUSTED_DEVICE_DAYS ?? (APP_ENV === 'development' && AUTH_WEB_COOKIE_MODE ? 30 : 0),
  }),
  /** `maxLifetime` undefined: keys may have no end. */
  apiKeys: (values) => ({
    mode: values.API_KEYS ?? (values.APP_ENV === 'production' ? 'off' : 'all'),
    defaultLifetime: Math.min(values.API_KEY_DEFAULT_LIFETIME, values.API_KEY_MAX_LIFETIME ?? Infinity),
    maxLifetime: values.API_KEY_MAX_LIFETIME ?? undefined,
  }),
  /** The settings of capabilities that are on because they are not set and this is no production service. */
  onlyHere: (values) => onlyHereOf(values),
  /** Keys of 32 bytes; the first encrypts. Undefined: generated once and kept in `dataDir`, outside production. */
  encryption: (values) => ({ keys: values.ENCRYPTION_KEYS }),
  /** `byApp`: the app around the service sends mail. */
  mail: (values) => ({ smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, byApp: values.MAIL_BY_APP }),
  /** True if users are notified of changes that concern the security of their account. */
  securityNotices: (values) => values.SECURITY_NOTICES,
  health: (values) => ({ requireRedis: values.READY_REQUIRE_REDIS }),
  log: (values) => ({ level: values.LOG_LEVEL }),
  /** True: spans of OpenTelemetry. */
  tracing: (values) => values.TRACING,
  /** Seconds that a stopping process serves new requests while `/ready` is 503. */
  shutdownDelay: (values) => values.SHUTDOWN_DELAY ?? (values.APP_ENV === 'production' ? 5 : 0),
  /** Seconds that a stopping process waits for open requests. */
  shutdownTimeout: (values) => values.SHUTDOWN_TIMEOUT,
  /** Folder of the embedded database and the generated key, outside production. */
  dataDir: (values) => values.DATA_DIR,
  /** Name of the operator for the audit log; undefined: the account of the operating system. */
  operatorName: (values) => values.LATCHKEY_OPERATOR,
} satisfies Record<string, (values: SettingValues) => unknown>;

type SettingParts = typeof settingParts;

/** All settings, validated and grouped. Secret values are `Secret`s, so settings may be logged and serialized. */
export type Settings = { [Part in keyof SettingParts]: ReturnType<SettingParts[Part]> };

/** The settings, for recipes that read them. */
export interface Configured {
  readonly settings: Settings;
}

/** Returns the public address from the first setting that has it. */
export const publicAddressOf = (
  values: Pick<SettingValues, 'AUTH_BASE_URL' | 'SERVER_URL' | 'PORT'>,
): string => values.AUTH_BASE_URL ?? values.SERVER_URL ?? `http://localhost:${values.PORT}`;

/** The settings that name, logos, colour and links are made of. */
export const BRAND_SETTING_NAMES = [
  'BRAND_NAME',
  'BRAND_LOGO_URL',
  'BRAND_LOGO_DARK_URL',
  'BRAND_ACCENT',
  'TERMS_URL',
  'PRIVACY_URL',
  'SUPPORT_URL',
] as const;

/** Returns name, logos, colour and links of pages and mails. */
export const brandOf = (values: Pick<SettingValues, (typeof BRAND_SETTING_NAMES)[number]>) => ({
  name: values.BRAND_NAME,
  /** A path on the host of the pages, with a leading slash. */
  logoPath: values.BRAND_LOGO_URL,
  /** The same for dark mode. Undefined: `logoPath` in both schemes. */
  logoDarkPath: values.BRAND_LOGO_DARK_URL,
  /** `#rrggbb`, lower case. */
  accent: values.BRAND_ACCENT,
  /** Pages of the operator: https addresses, or paths on the host of the pages with a leading slash. */
  links: { terms: values.TERMS_URL, privacy: values.PRIVACY_URL, support: values.SUPPORT_URL },
});

/** The settings that keys and claims of access tokens are made of. */
type TokenSettingName =
  | 'JWT_SIGNING_KEY_PEM'
  | 'JWT_VERIFICATION_KEYS_PEM'
  | 'JWT_ISSUER'
  | 'JWT_AUDIENCE'
  | 'ACCESS_TOKEN_TTL';

export const tokensOf = (values: Pick<SettingValues, TokenSettingName>, baseUrl: string) => ({
  /** Undefined: generated once and kept in `dataDir`, outside production. */
  signingKeyPem: values.JWT_SIGNING_KEY_PEM,
  /** Additional keys, concatenated PEM: published and accepted, never used to sign. */
  verificationKeysPem: values.JWT_VERIFICATION_KEYS_PEM,
  issuer: values.JWT_ISSUER ?? baseUrl,
  audience: values.JWT_AUDIENCE,
  accessTokenTtl: values.ACCESS_TOKEN_TTL,
});

function onlyHereOf(values: SettingValues) {
  const inDevelopment = [
    'MAILED_SIGN_IN',
    ...(values.AUTH_WEB_COOKIE_MODE ? (['TRUSTED_DEVICE_DAYS'] as const) : []),
    'ACCOUNT_DELETION',
    'STAFF_ACTING',
    'PROFILE_PICTURES',
    'WEBHOOKS',
  ] as const;
  return [
    ...(values.APP_ENV === 'production' ? [] : (['API_KEYS'] as const)),
    ...(values.APP_ENV === 'development' ? inDevelopment : []),
  ].filter((name) => values[name] === undefined);
}
