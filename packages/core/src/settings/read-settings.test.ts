import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SettingSource } from './environment.js';
import { readSettings } from './read-settings.js';
import { type SettingFault, SettingsError } from './setting-fault.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signingKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const production = {
  APP_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db.example.com/auth',
  REDIS_URL: 'rediss://cache.example.com:6379',
  JWT_SIGNING_KEY_PEM: signingKeyPem,
  AUTH_BASE_URL: 'https://auth.example.com',
};

function errorOf(source: SettingSource): SettingsError {
  try {
    readSettings(source);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error('these settings were accepted');
}

const faultsOf = (source: SettingSource): readonly SettingFault[] => errorOf(source).faults;
const faultyNames = (source: SettingSource): string[] => faultsOf(source).map((fault) => fault.name);

describe('without any setting', () => {
  it('every default is the documented one', () => {
    expect(readSettings({})).toEqual({
      environment: 'development',
      http: {
        host: '0.0.0.0',
        port: 3097,
        baseUrl: 'http://localhost:3097',
        webAppUrl: undefined,
        trustProxy: undefined,
        corsOrigins: [],
        forceHttps: false,
        cookieMode: false,
        docs: true,
      },
      metrics: { host: '127.0.0.1', port: undefined },
      brand: {
        name: 'Latchkey',
        logoPath: undefined,
        logoDarkPath: undefined,
        accent: '#2f5bd0',
        links: { terms: undefined, privacy: undefined, support: undefined },
      },
      console: { enabled: true },
      companyPages: { enabled: true },
      defaultLocale: 'en',
      database: { url: undefined, poolMax: 10, preparedStatements: true, migrationsPath: 'migrations/' },
      redis: { url: undefined, inMemory: false, keyPrefix: 'latchkey:' },
      finance: { url: undefined, companyQuery: undefined },
      tokens: {
        signingKeyPem: undefined,
        verificationKeysPem: undefined,
        issuer: 'http://localhost:3097',
        audience: 'latchkey',
        accessTokenTtl: 900,
      },
      sessions: {
        refreshTokenTtl: 14 * 86_400,
        maxLifetime: 30 * 86_400,
        acting: { isRequired: false, maxLifetime: 3600 },
        reuseGrace: 0,
        coalesceMs: 25,
        cacheTtl: 15,
        refreshTokenPeppers: undefined,
      },
      machine: { internalApiKeys: undefined, serviceClients: undefined, serviceTokenTtl: 300 },
      coreService: { baseUrl: undefined, apiKey: undefined, timeout: 3, entitlementsCacheTtl: 0 },
      webhooks: { mode: 'all', send: true },
      outbound: { ports: [443], allowed: { names: [], networks: [] } },
      registration: {
        enabled: false,
        approval: 'staff',
        emailVerification: 'offer',
        domains: [],
        blockedDomains: [],
        noticeTo: [],
      },
      passwords: {
        minLength: 8,
        blocklist: false,
        argon2: { memoryKib: 19_456, iterations: 2, parallelism: 1 },
        hashingThreads: undefined,
      },
      oneTimeSecrets: { passwordResetTtl: 1800, invitationTtl: 7 * 86_400, handoffTtl: 60 },
      rateLimits: { loginPerMinute: 30, failMode: 'open' },
      staff: { stepUp: 900, acting: true },
      strictRoles: false,
      mailedSignIn: true,
      accountDeletion: 'self',
      profilePictures: true,
      external: { providers: undefined, signUp: false, redirectUris: [] },
      passkeys: { enabled: false, relyingPartyId: undefined, relyingPartyName: 'Latchkey', origins: [] },
      apiKeys: { mode: 'all', defaultLifetime: 90 * 86_400, maxLifetime: 365 * 86_400 },
      onlyHere: [
        'API_KEYS',
        'MAILED_SIGN_IN',
        'ACCOUNT_DELETION',
        'STAFF_ACTING',
        'PROFILE_PICTURES',
        'WEBHOOKS',
      ],
      secondFactor: { mode: 'optional' },
      trustedDevices: { days: 0 },
      encryption: { keys: undefined },
      mail: { smtpUrl: undefined, from: undefined, byApp: false },
      securityNotices: true,
      health: { requireRedis: true },
      tracing: false,
      log: { level: 'info' },
      shutdownDelay: 0,
      shutdownTimeout: 15,
      dataDir: '.latchkey/',
    });
  });

  it('JWT_SECRET and other unknown names change nothing', () => {
    expect(readSettings({ JWT_SECRET: 'x', NOT_A_SETTING: 'y', toString: 'z' })).toEqual(readSettings({}));
  });

  it('empty values count as unset', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '', APP_ENV: '' })).toEqual(readSettings({}));
  });
});

describe('single values', () => {
  it.each(['true', 'TRUE', '1', 'yes', 'Yes', 'on', ' on '])('"%s" switches on', (text) => {
    expect(readSettings({ PUBLIC_REGISTRATION_ENABLED: text }).registration.enabled).toBe(true);
  });

  it.each(['false', 'False', '0', 'no', 'NO', 'off'])('"%s" switches off', (text) => {
    expect(readSettings({ READY_REQUIRE_REDIS: text }).health.requireRedis).toBe(false);
  });

  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['12h', 43_200],
    ['1d', 86_400],
  ])('a duration %s is %i seconds', (text, seconds) => {
    expect(readSettings({ ACCESS_TOKEN_TTL: text }).tokens.accessTokenTtl).toBe(seconds);
  });

  it('lifetimes of a few seconds are accepted', () => {
    const settings = readSettings({
      ACCESS_TOKEN_TTL: '2',
      REFRESH_TOKEN_TTL: '4',
      SESSION_MAX_LIFETIME: '10',
      PASSWORD_RESET_TTL: '3',
      INVITATION_TTL: '3',
    });
    expect(settings.tokens.accessTokenTtl).toBe(2);
    expect(settings.sessions).toMatchObject({ refreshTokenTtl: 4, maxLifetime: 10 });
    expect(settings.oneTimeSecrets).toMatchObject({ passwordResetTtl: 3, invitationTtl: 3 });
  });

  it('an idle limit beyond the absolute limit is harmless', () => {
    const { sessions } = readSettings({ REFRESH_TOKEN_TTL: '30d', SESSION_MAX_LIFETIME: '1d' });
    expect(sessions).toMatchObject({ refreshTokenTtl: 30 * 86_400, maxLifetime: 86_400 });
  });

  it.each([
    ['APP_ENV', 'prod'],
    ['LOG_LEVEL', 'loud'],
    ['PUBLIC_REGISTRATION_ENABLED', 'maybe'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['HOST', 'http://x'],
    ['DATABASE_POOL_MAX', '0'],
    ['ACCESS_TOKEN_TTL', '0'],
    ['ACCESS_TOKEN_TTL', '86401'],
    ['ACCESS_TOKEN_TTL', '15 minutes'],
    ['REFRESH_TOKEN_TTL', '366d'],
    ['SESSION_MAX_LIFETIME', '0'],
    ['REFRESH_REUSE_GRACE', '61'],
    ['REFRESH_COALESCE_MS', '1001'],
    ['SERVICE_TOKEN_TTL', '601'],
    ['HANDOFF_TTL', '301'],
    ['HANDOFF_TTL', '0'],
    ['ENTITLEMENTS_CACHE_TTL', '31'],
    ['CORE_TIMEOUT', '5'],
    ['CORE_BASE_URL', 'core.example.com'],
    ['PASSWORD_MIN_LENGTH', '7'],
    ['ARGON2_MEMORY_KIB', '19455'],
    ['ARGON2_ITERATIONS', '1'],
    ['ARGON2_PARALLELISM', '0'],
    ['HASHING_THREADS', '0'],
    ['LOGIN_RATE_LIMIT', '0'],
    ['RATE_LIMIT_FAIL_MODE', 'ajar'],
    ['REDIS_KEY_PREFIX', 'a b'],
    ['JWT_AUDIENCE', 'a b'],
    ['FINANCE_COMPANY_QUERY', 'SELECT id, code, name FROM companies'],
    ['FINANCE_COMPANY_QUERY', 'SELECT id FROM companies WHERE code = $1 AND name = $2'],
  ])('%s=%s is refused with its name and what was found', (name, text) => {
    const [fault, ...others] = faultsOf({ [name]: text });
    expect(others).toEqual([]);
    expect(fault?.name).toBe(name);
    expect(fault?.found).toContain(JSON.stringify(text));
  });

  it.each([
    ['PORT', '0'],
    ['REFRESH_REUSE_GRACE', '60'],
    ['REFRESH_COALESCE_MS', '0'],
    ['SERVICE_TOKEN_TTL', '10m'],
    ['HANDOFF_TTL', '300'],
    ['ENTITLEMENTS_CACHE_TTL', '30'],
    ['SESSION_CACHE_TTL', '0'],
    ['ARGON2_MEMORY_KIB', '65536'],
    ['HASHING_THREADS', '1'],
    ['FINANCE_COMPANY_QUERY', 'SELECT id, code, name FROM c WHERE code = $1 OR name = $1'],
  ])('%s=%s is accepted', (name, text) => {
    expect(() => readSettings({ [name]: text })).not.toThrow();
  });
});

describe('defaults that follow from other settings', () => {
  it('the public address is AUTH_BASE_URL before SERVER_URL before localhost', () => {
    const both = { AUTH_BASE_URL: 'https://a.example.com', SERVER_URL: 'https://b.example.com' };
    expect(readSettings(both).http.baseUrl).toBe('https://a.example.com');
    expect(readSettings({ SERVER_URL: both.SERVER_URL }).http.baseUrl).toBe('https://b.example.com');
    expect(readSettings({ PORT: '4000' }).http.baseUrl).toBe('http://localhost:4000');
  });

  it('the public address has no trailing slash', () => {
    expect(readSettings({ AUTH_BASE_URL: 'https://Example.com:443/auth/' }).http.baseUrl).toBe(
      'https://example.com/auth',
    );
  });

  it('the issuer is the public address unless it is set', () => {
    expect(readSettings({ SERVER_URL: 'https://b.example.com/' }).tokens.issuer).toBe(
      'https://b.example.com',
    );
    expect(readSettings({ JWT_ISSUER: 'urn:issuer' }).tokens.issuer).toBe('urn:issuer');
  });

  it('the delay of a stop defaults to 5 seconds in production', () => {
    expect(readSettings(production).shutdownDelay).toBe(5);
    expect(readSettings({ ...production, SHUTDOWN_DELAY: '0' }).shutdownDelay).toBe(0);
    expect(faultyNames({ SHUTDOWN_DELAY: '61' })).toEqual(['SHUTDOWN_DELAY']);
  });

  it('production forces HTTPS and blocks common passwords by default', () => {
    expect(readSettings(production)).toMatchObject({
      http: { forceHttps: true },
      passwords: { blocklist: true },
    });
    const changed = readSettings({ ...production, AUTH_WEB_FORCE_HTTPS: 'off', PASSWORD_BLOCKLIST: 'off' });
    expect(changed).toMatchObject({ http: { forceHttps: false }, passwords: { blocklist: false } });
  });
});

describe('production', () => {
  it('needs only the database for administration from outside', () => {
    const settings = readSettings(
      { ...production, REDIS_URL: undefined, JWT_SIGNING_KEY_PEM: undefined },
      'administration',
    );
    expect(settings.database.url?.reveal()).toBe(production.DATABASE_URL);
    expect(() => readSettings({ APP_ENV: 'production' }, 'administration')).toThrow(/DATABASE_URL/);
  });

  it.each(['DATABASE_URL', 'REDIS_URL', 'JWT_SIGNING_KEY_PEM', 'AUTH_BASE_URL'])('requires %s', (name) => {
    expect(faultyNames({ ...production, [name]: undefined })).toEqual([name]);
  });

  it('uses SERVER_URL as the public address if AUTH_BASE_URL is not given', () => {
    const named = { ...production, AUTH_BASE_URL: undefined, SERVER_URL: 'https://id.example.com' };
    expect(readSettings(named).http.baseUrl).toBe('https://id.example.com');
  });

  it.each([
    { AUTH_BASE_URL: 'http://auth.example.com' },
    { AUTH_BASE_URL: 'http://localhost.example.com' },
    { AUTH_BASE_URL: 'http://10.0.0.7:3097' },
    { AUTH_BASE_URL: 'http://auth.example.com', SERVER_URL: 'https://id.example.com' },
    { AUTH_BASE_URL: undefined, SERVER_URL: 'http://id.example.com' },
  ])('rejects a public address without https, as in %j, and says how to fix it', (changes) => {
    const [fault, ...others] = faultsOf({ ...production, ...changes });
    const name = changes.AUTH_BASE_URL === undefined ? 'SERVER_URL' : 'AUTH_BASE_URL';
    expect([fault?.name, others]).toEqual([name, []]);
    expect(fault?.found).toContain('which is not encrypted');
    expect(fault?.fix).toContain(`${name}=https://`);
  });

  it.each(['http://localhost:3097', 'http://auth.localhost', 'http://127.0.0.1:3097', 'http://[::1]:3097'])(
    'accepts %s for a test on this machine',
    (address) => {
      expect(readSettings({ ...production, AUTH_BASE_URL: address }).http.baseUrl).toBe(address);
    },
  );

  it('names a faulty required setting once', () => {
    expect(faultyNames({ ...production, DATABASE_URL: 'mysql://db' })).toEqual(['DATABASE_URL']);
  });
});

describe('passkeys', () => {
  const passkeys = {
    PASSKEYS_ENABLED: 'true',
    WEBAUTHN_RP_ID: 'example.com',
    WEBAUTHN_ORIGINS:
      'https://app.example.com, https://example.com, android:apk-key-hash:xT5ZucZJ9N7oq3j3awG8J_NlKf8trfo6AAJB8deuuNo',
  };

  it('take the origins as they are given', () => {
    expect(readSettings(passkeys).passkeys).toEqual({
      enabled: true,
      relyingPartyId: 'example.com',
      relyingPartyName: 'Latchkey',
      origins: [
        'https://app.example.com',
        'https://example.com',
        'android:apk-key-hash:xT5ZucZJ9N7oq3j3awG8J_NlKf8trfo6AAJB8deuuNo',
      ],
    });
  });

  it('require a relying party id and origins', () => {
    expect(faultyNames({ PASSKEYS_ENABLED: 'true' })).toEqual(['WEBAUTHN_RP_ID', 'WEBAUTHN_ORIGINS']);
  });

  it('need neither while they are off', () => {
    expect(() => readSettings({ WEBAUTHN_RP_ID: 'example.com' })).not.toThrow();
  });

  it.each(['https://example.org', 'https://notexample.com', 'https://example.com.evil.org'])(
    'refuse the origin %s outside the relying party domain',
    (origin) => {
      const [fault] = faultsOf({ ...passkeys, WEBAUTHN_ORIGINS: `https://example.com,${origin}` });
      expect(fault?.name).toBe('WEBAUTHN_ORIGINS');
      expect(fault?.found).toContain(origin);
    },
  );

  it('work on localhost without TLS', () => {
    const local = { ...passkeys, WEBAUTHN_RP_ID: 'localhost', WEBAUTHN_ORIGINS: 'http://localhost:3097' };
    expect(readSettings(local).passkeys.origins).toEqual(['http://localhost:3097']);
  });
});

describe('mail', () => {
  it.each([
    ['SMTP_URL', 'smtp://mail.example.com', 'MAIL_FROM'],
    ['MAIL_FROM', 'no-reply@example.com', 'SMTP_URL'],
  ])('%s alone is a fault that names the other setting', (name, text, missing) => {
    const [fault] = faultsOf({ [name]: text });
    expect(fault).toMatchObject({ name: missing, found: 'nothing' });
    expect(fault?.expected).toContain(name);
  });

  it.each(['no-reply@example.com', 'Latchkey <no-reply@example.com>', '"A, B" <a@b.example>'])(
    'may come from %s',
    (from) => {
      expect(readSettings({ SMTP_URL: 'smtps://h', MAIL_FROM: from }).mail.from).toBe(from);
    },
  );

  it.each(['sender', 'a@b <c', 'A <a@b>\r\nBcc: c@d'])('may not come from %j', (from) => {
    expect(faultyNames({ SMTP_URL: 'smtps://h', MAIL_FROM: from })).toEqual(['MAIL_FROM']);
  });
});

describe('metrics', () => {
  it('have a separate port if it is given, open to this machine only', () => {
    expect(readSettings({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(readSettings({}).metrics.port).toBeUndefined();
  });

  it.each([{ METRICS_PORT: '3097' }, { PORT: '8080', METRICS_PORT: '8080' }])(
    'cannot share the main port: %j',
    (source) => {
      expect(faultsOf(source)).toMatchObject([{ name: 'METRICS_PORT', expected: 'another port' }]);
    },
  );

  it.each(['0', '65536', 'off'])('have no port %j', (text) => {
    expect(faultyNames({ METRICS_PORT: text })).toEqual(['METRICS_PORT']);
  });
});

describe('the message about faulty settings', () => {
  const message = errorOf({
    APP_ENV: 'production',
    PORT: 'http',
    DATABASE_URL: 'mysql://root:hunter2-hunter2@db/auth',
    AUTH_BASE_URL: 'https://admin:s3cret-word@auth.example.com',
    AUTH_INTERNAL_API_KEY: 'short-key',
  }).message;

  it('names every faulty setting at once', () => {
    const named = message.match(/^ {2}[A-Z]\S+$/gm)?.map((line) => line.trim());
    expect(named?.sort()).toEqual([
      'AUTH_BASE_URL',
      'AUTH_INTERNAL_API_KEY',
      'DATABASE_URL',
      'JWT_SIGNING_KEY_PEM',
      'PORT',
      'REDIS_URL',
    ]);
    expect(message).toMatch(/^6 settings are missing or wrong:/);
  });

  it('says for each what was found, what is expected and how to fix it', () => {
    expect(message).toContain(
      [
        '  PORT',
        '    found     "http" from the environment',
        '    expected  a whole number from 0 to 65535',
        '    to fix    correct PORT, or remove it for the default (3097)',
      ].join('\n'),
    );
  });

  it('shows no secret, not even one in a setting that should contain none', () => {
    expect(message).not.toMatch(/hunter2|s3cret|short-key/);
    expect(message).toContain('(hidden) from the environment: too short');
  });

  it('escapes control characters and truncates long texts', () => {
    const [fault] = faultsOf({ HOST: `\u001b[31m ${'x'.repeat(500)}` });
    expect(fault?.found).not.toContain('\u001b');
    expect(fault?.found.length).toBeLessThan(150);
  });
});

describe('misspelled settings', () => {
  it('are faults in a record, with the correct name', () => {
    expect(() => readSettings({ ACCESS_TOKEN_TLL: '5m', JWT_SIGNING_KEY_PEM_FLIE: 'key.pem' })).toThrow(
      /ACCESS_TOKEN_TLL[^]*did you mean ACCESS_TOKEN_TTL\?[^]*did you mean JWT_SIGNING_KEY_PEM_FILE\?/,
    );
  });

  it('are accepted in the environment and in a copy of it, as settings of another program', () => {
    vi.stubEnv('PORTS', '80,443');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => readSettings(process.env)).not.toThrow();
    expect(() => readSettings({ ...process.env, APP_ENV: 'test' })).not.toThrow();
    expect(() => readSettings({ ...process.env, PORTS: '8080' })).toThrow(/did you mean PORT\?/);
  });
});

describe('the name of the brand', () => {
  const nameOf = (name: string): string => readSettings({ APP_ENV: 'test', BRAND_NAME: name }).brand.name;

  it.each([':', ' – ', '…'])('%j has nothing that an authenticator app could show', (name) => {
    expect(() => nameOf(name)).toThrow(/a name of at most 60 characters with a letter or digit/);
  });

  it.each(['A:B', '7', '東京', 'Acme & Söhne'])('%j is one', (name) => {
    expect(nameOf(name)).toBe(name);
  });
});
