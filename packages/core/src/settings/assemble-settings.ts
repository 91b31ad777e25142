import { IN_MEMORY } from './kinds/connection-kinds.js';
import type { SettingValues } from './setting-definitions.js';
import type {
  BrandSettings,
  CoreServiceSettings,
  DatabaseSettings,
  HttpSettings,
  MachineSettings,
  PasskeySettings,
  PasswordSettings,
  RedisSettings,
  SessionSettings,
  Settings,
  TokenSettings,
} from './settings.js';

/** The settings that `TokenSettings` are made of. */
type TokenSettingName =
  | 'JWT_SIGNING_KEY_PEM'
  | 'JWT_VERIFICATION_KEYS_PEM'
  | 'JWT_ISSUER'
  | 'JWT_AUDIENCE'
  | 'ACCESS_TOKEN_TTL';

/** Builds each part of the settings separately, so that one can be read while another is faulty. */
export const settingParts: { readonly [Part in keyof Settings]: (values: SettingValues) => Settings[Part] } =
  {
    environment: (values) => values.APP_ENV,
    http: (values) => httpOf(values),
    metrics: (values) => ({ host: values.METRICS_HOST, port: values.METRICS_PORT }),
    brand: (values) => brandOf(values),
    console: (values) => ({ enabled: values.CONSOLE_ENABLED ?? values.APP_ENV !== 'production' }),
    companyPages: (values) => ({ enabled: values.COMPANY_PAGES_ENABLED }),
    defaultLocale: (values) => values.DEFAULT_LOCALE,
    database: (values) => databaseOf(values),
    redis: (values) => redisOf(values),
    finance: (values) => ({ url: values.FINANCE_DATABASE_URL, companyQuery: values.FINANCE_COMPANY_QUERY }),
    tokens: (values) => tokensOf(values, publicAddressOf(values)),
    sessions: (values) => sessionsOf(values),
    machine: (values) => machineOf(values),
    coreService: (values) => coreServiceOf(values),
    outbound: (values) => ({
      ports: values.OUTBOUND_PORTS,
      allowed: values.OUTBOUND_ALLOWED ?? { names: [], networks: [] },
    }),
    webhooks: (values) => ({
      mode: values.WEBHOOKS ?? (values.APP_ENV === 'development' ? 'all' : 'off'),
      send: values.WEBHOOK_SEND,
    }),
    registration: (values) => ({
      enabled: values.PUBLIC_REGISTRATION_ENABLED,
      approval: values.REGISTRATION_APPROVAL,
      emailVerification: values.EMAIL_VERIFICATION,
      domains: values.REGISTRATION_DOMAINS ?? [],
      blockedDomains: values.REGISTRATION_BLOCKED_DOMAINS ?? [],
      noticeTo: values.APPROVAL_NOTICE_TO ?? [],
    }),
    passwords: (values) => passwordsOf(values),
    oneTimeSecrets: (values) => oneTimeSecretsOf(values),
    rateLimits: (values) => ({
      loginPerMinute: values.LOGIN_RATE_LIMIT,
      failMode: values.RATE_LIMIT_FAIL_MODE,
    }),
    staff: (values) => ({
      stepUp: values.STAFF_STEP_UP ?? undefined,
      acting: values.STAFF_ACTING ?? values.APP_ENV === 'development',
    }),
    strictRoles: (values) => values.STRICT_ROLES,
    passkeys: (values) => passkeysOf(values),
    mailedSignIn: (values) => values.MAILED_SIGN_IN ?? values.APP_ENV === 'development',
    accountDeletion: (values) =>
      values.ACCOUNT_DELETION ?? (values.APP_ENV === 'development' ? 'self' : 'off'),
    profilePictures: (values) => values.PROFILE_PICTURES ?? values.APP_ENV === 'development',
    external: (values) => ({
      providers: values.EXTERNAL_PROVIDERS,
      signUp: values.EXTERNAL_SIGN_UP,
      redirectUris: values.EXTERNAL_REDIRECT_URIS ?? [],
    }),
    secondFactor: (values) => secondFactorOf(values),
    trustedDevices: (values) => ({ days: trustedDaysOf(values) }),
    apiKeys: (values) => ({
      mode: values.API_KEYS ?? (values.APP_ENV === 'production' ? 'off' : 'all'),
      defaultLifetime: Math.min(values.API_KEY_DEFAULT_LIFETIME, values.API_KEY_MAX_LIFETIME ?? Infinity),
      maxLifetime: values.API_KEY_MAX_LIFETIME ?? undefined,
    }),
    onlyHere: (values) => onlyHereOf(values),
    encryption: (values) => ({ keys: values.ENCRYPTION_KEYS }),
    mail: (values) => ({ smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, byApp: values.MAIL_BY_APP }),
    securityNotices: (values) => values.SECURITY_NOTICES,
    health: (values) => ({ requireRedis: values.READY_REQUIRE_REDIS }),
    log: (values) => ({ level: values.LOG_LEVEL }),
    tracing: (values) => values.TRACING,
    shutdownDelay: (values) => values.SHUTDOWN_DELAY ?? (values.APP_ENV === 'production' ? 5 : 0),
    shutdownTimeout: (values) => values.SHUTDOWN_TIMEOUT,
    dataDir: (values) => values.DATA_DIR,
    operatorName: (values) => values.LATCHKEY_OPERATOR,
  };

function onlyHereOf(values: SettingValues): Settings['onlyHere'] {
  const inDevelopment = [
    'MAILED_SIGN_IN',
    ...(values.AUTH_WEB_COOKIE_MODE ? (['TRUSTED_DEVICE_DAYS'] as const) : []),
    'ACCOUNT_DELETION',
    'STAFF_ACTING',
    'PROFILE_PICTURES',
    'WEBHOOKS',
  ] as const;
  const unset = (names: Settings['onlyHere']) => names.filter((name) => values[name] === undefined);
  return [
    ...(values.APP_ENV === 'production' ? [] : unset(['API_KEYS'])),
    ...(values.APP_ENV === 'development' ? unset(inDevelopment) : []),
  ];
}

/** A trusted browser keeps its secret in a cookie. */
const trustedDaysOf = ({ TRUSTED_DEVICE_DAYS, APP_ENV, AUTH_WEB_COOKIE_MODE }: SettingValues): number =>
  TRUSTED_DEVICE_DAYS ?? (APP_ENV === 'development' && AUTH_WEB_COOKIE_MODE ? 30 : 0);

/** Groups valid settings and fills in the defaults that depend on other settings. */
export function assembleSettings(values: SettingValues): Settings {
  const made = Object.entries(settingParts).map(([part, make]) => [part, make(values)] as const);
  // Each part was made by the function under its name.
  return Object.fromEntries(made) as unknown as Settings;
}

/** The settings that `BrandSettings` are made of. */
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
export const brandOf = (
  values: Pick<SettingValues, (typeof BRAND_SETTING_NAMES)[number]>,
): BrandSettings => ({
  name: values.BRAND_NAME,
  logoPath: values.BRAND_LOGO_URL,
  logoDarkPath: values.BRAND_LOGO_DARK_URL,
  accent: values.BRAND_ACCENT,
  links: { terms: values.TERMS_URL, privacy: values.PRIVACY_URL, support: values.SUPPORT_URL },
});

function httpOf(values: SettingValues): HttpSettings {
  return {
    host: values.HOST,
    port: values.PORT,
    baseUrl: publicAddressOf(values),
    webAppUrl: values.WEB_APP_URL,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS ?? [],
    forceHttps: values.AUTH_WEB_FORCE_HTTPS ?? values.APP_ENV === 'production',
    cookieMode: values.AUTH_WEB_COOKIE_MODE,
    docs: values.API_DOCS_ENABLED,
  };
}

/** Returns the public address from the first setting that has it. */
export const publicAddressOf = (
  values: Pick<SettingValues, 'AUTH_BASE_URL' | 'SERVER_URL' | 'PORT'>,
): string => values.AUTH_BASE_URL ?? values.SERVER_URL ?? `http://localhost:${values.PORT}`;

function databaseOf(values: SettingValues): DatabaseSettings {
  return {
    url: values.DATABASE_URL,
    schema: values.DATABASE_SCHEMA,
    poolMax: values.DATABASE_POOL_MAX,
    preparedStatements: values.DATABASE_PREPARED_STATEMENTS,
    migrationsPath: values.MIGRATIONS_PATH,
  };
}

function redisOf({ REDIS_URL: url, REDIS_KEY_PREFIX: keyPrefix }: SettingValues): RedisSettings {
  const inMemory = url?.reveal() === IN_MEMORY;
  return { url: inMemory ? undefined : url, inMemory, keyPrefix };
}

export function tokensOf(values: Pick<SettingValues, TokenSettingName>, baseUrl: string): TokenSettings {
  return {
    signingKeyPem: values.JWT_SIGNING_KEY_PEM,
    verificationKeysPem: values.JWT_VERIFICATION_KEYS_PEM,
    issuer: values.JWT_ISSUER ?? baseUrl,
    audience: values.JWT_AUDIENCE,
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
  };
}

function sessionsOf(values: SettingValues): SessionSettings {
  return {
    refreshTokenTtl: values.REFRESH_TOKEN_TTL,
    maxLifetime: values.SESSION_MAX_LIFETIME,
    acting: { isRequired: values.MINT_ACTOR_REQUIRED, maxLifetime: values.MINT_MAX_LIFETIME },
    reuseGrace: values.REFRESH_REUSE_GRACE,
    coalesceMs: values.REFRESH_COALESCE_MS,
    cacheTtl: values.SESSION_CACHE_TTL,
    refreshTokenPeppers: values.REFRESH_TOKEN_PEPPER,
    geoipDatabase: values.GEOIP_DATABASE,
  };
}

function machineOf(values: SettingValues): MachineSettings {
  return {
    internalApiKeys: values.AUTH_INTERNAL_API_KEY,
    serviceClients: values.SERVICE_CLIENTS,
    serviceTokenTtl: values.SERVICE_TOKEN_TTL,
  };
}

function coreServiceOf(values: SettingValues): CoreServiceSettings {
  return {
    baseUrl: values.CORE_BASE_URL,
    apiKey: values.CORE_INTERNAL_API_KEY,
    timeout: values.CORE_TIMEOUT,
    entitlementsCacheTtl: values.ENTITLEMENTS_CACHE_TTL,
  };
}

function passwordsOf(values: SettingValues): PasswordSettings {
  return {
    minLength: values.PASSWORD_MIN_LENGTH,
    blocklist: values.PASSWORD_BLOCKLIST ?? values.APP_ENV === 'production',
    breachList: values.PASSWORD_BREACH_LIST,
    argon2: {
      memoryKib: values.ARGON2_MEMORY_KIB,
      iterations: values.ARGON2_ITERATIONS,
      parallelism: values.ARGON2_PARALLELISM,
    },
    hashingThreads: values.HASHING_THREADS,
  };
}

function oneTimeSecretsOf(values: SettingValues): Settings['oneTimeSecrets'] {
  return {
    passwordResetTtl: values.PASSWORD_RESET_TTL,
    invitationTtl: values.INVITATION_TTL,
    handoffTtl: values.HANDOFF_TTL,
  };
}

function passkeysOf(values: SettingValues): PasskeySettings {
  return {
    enabled: values.PASSKEYS_ENABLED,
    relyingPartyId: values.WEBAUTHN_RP_ID,
    relyingPartyName: values.WEBAUTHN_RP_NAME,
    origins: values.WEBAUTHN_ORIGINS ?? [],
  };
}

function secondFactorOf(values: SettingValues): Settings['secondFactor'] {
  const isPossible = values.ENCRYPTION_KEYS !== undefined || values.APP_ENV !== 'production';
  return { mode: values.SECOND_FACTOR ?? (isPossible ? 'optional' : 'off') };
}
