import type { Auth } from '@latchkey/core';
import type { DevelopmentDefaults } from './development-defaults.js';
import { version } from './version.js';

/** Factors that are not asked for are counted up to this number. */
export const MAX_IDLE_FACTORS = 1_000;

export interface StartupParts extends DevelopmentDefaults {
  /** Number of second factors that are set up; undefined if it does not matter. */
  idleFactors?: number | undefined;
  auth: Auth;
  port: number;
}

/** Settings that may be missing outside production, where a development substitute is used. */
const REPLACED = ['DATABASE_URL', 'REDIS_URL', 'JWT_SIGNING_KEY_PEM', 'ENCRYPTION_KEYS', 'SMTP_URL'] as const;

type ReplacedSetting = (typeof REPLACED)[number];

/**
 * The settings in effect, as the log line of the start reports them. No address has a user, a password or a
 * query.
 */
export interface StartupFacts {
  version: string;
  environment: string;
  host: string;
  port: number;
  publicUrl: string;
  /** PostgreSQL, the embedded one included. */
  database: string;
  /** Applied migrations that are newer than this version, which can run on their result; undefined without any. */
  newerMigrations?: readonly string[] | undefined;
  /** The servers, or `in-process`. */
  redis: string;
  signingKeyId: string;
  /** The file in which a generated signing key is kept; undefined if a key is set. */
  signingKeyFile?: string | undefined;
  passwordEngine: string;
  hashingThreads: number;
  /** Entries of the list of breached passwords; undefined if there is none. */
  breachListEntries?: number | undefined;
  /** The time at which that list was made. */
  breachListBuiltAt?: string | undefined;
  /** Type of the database of places by IP address; undefined if there is none. */
  geoipType?: string | undefined;
  /** The time at which that database was made. */
  geoipBuiltAt?: string | undefined;
  mail: Auth['facts']['mailTransport'];
  coreService?: string | undefined;
  registration: boolean;
  machineRoutes: boolean;
  /** The address, or `off`. */
  metrics: string;
  passkeysFor?: string | undefined;
  /** The users who need a second factor. */
  secondFactor: Auth['facts']['secondFactor'];
  /** Number of second factors that are set up but not asked for, while second factors are off. */
  idleFactors?: number | undefined;
  /** The file in which a generated encryption key is kept; undefined if a key is set. */
  factorKeyFile?: string | undefined;
  /** The settings with a development substitute. Always empty in production. */
  defaults: ReplacedSetting[];
  /** The settings of capabilities that are on only because this is no production service; undefined without any. */
  onlyHere?: readonly string[] | undefined;
}

/** Returns the facts that a start reports. */
export function startupFacts({
  auth: { settings, facts },
  embedded,
  keyFile,
  factorKeyFile,
  idleFactors,
  port,
}: StartupParts): StartupFacts {
  const { http, redis, coreService, registration, machine, passkeys } = settings;
  const isReplaced: Record<ReplacedSetting, boolean> = {
    DATABASE_URL: embedded !== undefined,
    REDIS_URL: redis.url === undefined && !redis.inMemory,
    JWT_SIGNING_KEY_PEM: keyFile !== undefined,
    ENCRYPTION_KEYS: factorKeyFile !== undefined,
    SMTP_URL: facts.mailTransport === 'inbox',
  };
  return {
    version,
    environment: settings.environment,
    host: http.host,
    port,
    publicUrl: http.baseUrl,
    database: withoutSecrets(embedded?.url ?? settings.database.url?.reveal() ?? ''),
    newerMigrations: facts.newerMigrations.length > 0 ? facts.newerMigrations : undefined,
    redis:
      facts.storeKind === 'memory'
        ? 'in-process'
        : (redis.url?.reveal() ?? '').split(',').map(withoutSecrets).join(','),
    signingKeyId: facts.signingKeyId,
    signingKeyFile: keyFile,
    passwordEngine: facts.passwordEngine,
    hashingThreads: facts.hashingThreads,
    breachListEntries: facts.breachList?.entries,
    breachListBuiltAt: facts.breachList?.builtAt.toISOString(),
    geoipType: facts.geoip?.type,
    geoipBuiltAt: facts.geoip?.builtAt.toISOString(),
    mail: facts.mailTransport,
    coreService: coreService.baseUrl === undefined ? undefined : withoutSecrets(coreService.baseUrl),
    registration: registration.enabled,
    machineRoutes: machine.internalApiKeys !== undefined,
    metrics: metricsUrl(settings, port),
    passkeysFor: passkeys.enabled ? passkeys.relyingPartyId : undefined,
    secondFactor: facts.secondFactor,
    idleFactors,
    factorKeyFile,
    defaults: REPLACED.filter((name) => isReplaced[name]),
    onlyHere: onlyHereOf(settings, facts),
  };
}

/** Webhooks also need a key for their secrets. */
function onlyHereOf(settings: Auth['settings'], facts: Auth['facts']): readonly string[] | undefined {
  const names = settings.onlyHere.filter((name) => name !== 'WEBHOOKS' || facts.webhooks !== 'off');
  return names.length > 0 ? names : undefined;
}

function metricsUrl({ metrics, machine }: Auth['settings'], port: number): string {
  if (metrics.port !== undefined) return `http://${metrics.host}:${metrics.port}/metrics`;
  return machine.internalApiKeys !== undefined ? `http://localhost:${port}/metrics` : 'off';
}

/** Removes user, password and query: drivers read a password from the query, too. */
const withoutSecrets = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/\/\S*@/, '//');
