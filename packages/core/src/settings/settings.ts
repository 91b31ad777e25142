import type { Locale } from '../kernel/locale.js';
import type { ApiKeyMode } from './api-key-mode.js';
import type { EmailVerification } from './email-verification.js';
import type { ExternalProviderSettings } from './external-provider-settings.js';
import type { RegistrationApproval } from './registration-approval.js';
import type { SecondFactorMode } from './second-factor-mode.js';
import type { Secret } from './secret.js';
import type { WebhookMode } from './webhook-mode.js';

/**
 * All settings, validated and grouped. Durations are whole seconds unless the name has another unit. Secret values are
 * `Secret`s, so settings may be logged and serialized.
 */
export interface Settings {
  environment: 'development' | 'test' | 'production';
  http: HttpSettings;
  /** `port` undefined: the metrics are on the main port, with the internal key. */
  metrics: { host: string; port: number | undefined };
  brand: BrandSettings;
  /** The console of platform staff, at `/console`. */
  console: { enabled: boolean };
  /** The pages for administrators of a company, at `/company`. */
  companyPages: { enabled: boolean };
  /** The language of pages and mails if the user's is unknown. */
  defaultLocale: Locale;
  database: DatabaseSettings;
  redis: RedisSettings;
  finance: { url: Secret | undefined; companyQuery: string | undefined };
  tokens: TokenSettings;
  sessions: SessionSettings;
  machine: MachineSettings;
  coreService: CoreServiceSettings;
  /** Addresses that users chose: the ports of https, and what is allowed beside the public internet. */
  outbound: { ports: number[]; allowed: { names: string[]; networks: string[] } };
  /** `send`: this process sends what is queued. */
  webhooks: { mode: WebhookMode; send: boolean };
  registration: RegistrationSettings;
  passwords: PasswordSettings;
  oneTimeSecrets: { passwordResetTtl: number; invitationTtl: number; handoffTtl: number };
  rateLimits: { loginPerMinute: number; failMode: 'open' | 'closed' };
  /**
   * `stepUp`: maximum age of the sign-in of staff for sensitive actions; undefined for no limit. `acting`: they may sign in as
   * users.
   */
  staff: { stepUp: number | undefined; acting: boolean };
  /** True: memberships and invitations are written with known roles only. */
  strictRoles: boolean;
  passkeys: PasskeySettings;
  /** True: users may sign in by a link or a code that is mailed to them. */
  mailedSignIn: boolean;
  /** `self`: users delete their own account. */
  accountDeletion: 'off' | 'self';
  /** True: users may upload a picture. */
  profilePictures: boolean;
  external: ExternalSettings;
  /** `maxLifetime` undefined: keys may have no end. */
  apiKeys: { mode: ApiKeyMode; defaultLifetime: number; maxLifetime: number | undefined };
  /** The settings of capabilities that are on because they are not set and this is no production service. */
  onlyHere: readonly (
    | 'API_KEYS'
    | 'MAILED_SIGN_IN'
    | 'TRUSTED_DEVICE_DAYS'
    | 'ACCOUNT_DELETION'
    | 'STAFF_ACTING'
    | 'PROFILE_PICTURES'
    | 'WEBHOOKS'
  )[];
  /** Who needs a second factor. */
  secondFactor: { mode: SecondFactorMode };
  /** Days for which a browser is trusted after a second factor; 0: never. */
  trustedDevices: { days: number };
  encryption: EncryptionSettings;
  mail: MailSettings;
  /** True if users are notified of changes that concern the security of their account. */
  securityNotices: boolean;
  health: { requireRedis: boolean };
  /** True: spans of OpenTelemetry. */
  tracing: boolean;
  log: { level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' };
  /** Seconds that a stopping process serves new requests while `/ready` is 503. */
  shutdownDelay: number;
  /** Seconds that a stopping process waits for open requests. */
  shutdownTimeout: number;
  /** Folder of the embedded database and the generated key, outside production. */
  dataDir: string;
  /** Name of the operator for the audit log; undefined: the account of the operating system. */
  operatorName: string | undefined;
}

/** The settings, for recipes that read them. */
export interface Configured {
  readonly settings: Settings;
}

interface RegistrationSettings {
  enabled: boolean;
  approval: RegistrationApproval;
  emailVerification: EmailVerification;
  /** Domains whose addresses may register, `*.` for those below one; empty: all that are not blocked. */
  domains: string[];
  blockedDomains: string[];
  /** Canonical addresses that are notified of waiting registrations. */
  noticeTo: string[];
}

export interface HttpSettings {
  host: string;
  port: number;
  /** Public address without a trailing slash. */
  baseUrl: string;
  webAppUrl: string | undefined;
  /** Number of proxy hops, or the addresses and CIDR ranges of the proxies. */
  trustProxy: number | string[] | undefined;
  corsOrigins: string[];
  forceHttps: boolean;
  cookieMode: boolean;
  /** True: the standalone service has the API reference at `/docs`. */
  docs: boolean;
}

/** Name, logos, colour and links on pages and in mails. */
export interface BrandSettings {
  name: string;
  /** A path on the host of the pages, with a leading slash. */
  logoPath: string | undefined;
  /** The same for dark mode. Undefined: `logoPath` in both schemes. */
  logoDarkPath: string | undefined;
  /** `#rrggbb`, lower case. */
  accent: string;
  /** Pages of the operator: https addresses, or paths on the host of the pages with a leading slash. */
  links: { terms: string | undefined; privacy: string | undefined; support: string | undefined };
}

export interface DatabaseSettings {
  /** Undefined: the embedded database, outside production. */
  url: Secret | undefined;
  /** The schema of the tables; undefined: the first one of the search path. */
  schema: string | undefined;
  poolMax: number;
  /** False for a PgBouncer that does not support named prepared statements. */
  preparedStatements: boolean;
  /** As given by `MIGRATIONS_PATH`. */
  migrationsPath: string;
}

export interface RedisSettings {
  /** Undefined: the in-process store. Comma-separated nodes mean Redis Cluster. */
  url: Secret | undefined;
  /** True: `memory:` selects the in-process store, for one process per database. */
  inMemory: boolean;
  keyPrefix: string;
}

export interface TokenSettings {
  /** Undefined: generated once and kept in `dataDir`, outside production. */
  signingKeyPem: Secret | undefined;
  /** Additional keys, concatenated PEM: published and accepted, never used to sign. */
  verificationKeysPem: Secret | undefined;
  issuer: string;
  audience: string;
  accessTokenTtl: number;
}

export interface SessionSettings {
  refreshTokenTtl: number;
  maxLifetime: number;
  /** Whether minting must name who acts, and the absolute limit of a session in which an actor does. */
  acting: { isRequired: boolean; maxLifetime: number };
  reuseGrace: number;
  coalesceMs: number;
  cacheTtl: number;
  /** Undefined: derived from the signing key. The first derives tokens, all are recognized. */
  refreshTokenPeppers: Secret<string[]> | undefined;
  /** Path of a database of places by IP address. Undefined: sessions have no places. */
  geoipDatabase: string | undefined;
}

export interface MachineSettings {
  /** Undefined: machine routes return 403. */
  internalApiKeys: Secret<string[]> | undefined;
  serviceClients: Secret<ServiceClient[]> | undefined;
  serviceTokenTtl: number;
}

export interface ServiceClient {
  id: string;
  /** SHA-256 digests of the accepted secrets, lower-case hexadecimal, one or two. */
  secretHashes: string[];
  audiences: string[];
  scopes: string[];
}

export interface CoreServiceSettings {
  baseUrl: string | undefined;
  apiKey: Secret | undefined;
  timeout: number;
  entitlementsCacheTtl: number;
}

export interface PasswordSettings {
  minLength: number;
  blocklist: boolean;
  /** Path of the list of breached passwords. Undefined: they are not checked. */
  breachList: string | undefined;
  argon2: { memoryKib: number; iterations: number; parallelism: number };
  /** Undefined: as many as there are processors. */
  hashingThreads: number | undefined;
}

export interface PasskeySettings {
  enabled: boolean;
  relyingPartyId: string | undefined;
  relyingPartyName: string;
  origins: string[];
}

interface ExternalSettings {
  /** Undefined: users sign in here only. */
  providers: Secret<ExternalProviderSettings[]> | undefined;
  /** True: the first sign-in creates an account. */
  signUp: boolean;
  /** Addresses of front ends that take responses, without the id of the connection. */
  redirectUris: string[];
}

interface EncryptionSettings {
  /** Keys of 32 bytes; the first encrypts. Undefined: generated once and kept in `dataDir`, outside production. */
  keys: Secret<Buffer[]> | undefined;
}

interface MailSettings {
  smtpUrl: Secret | undefined;
  from: string | undefined;
  /** True if the app around the service sends mail. */
  byApp: boolean;
}
