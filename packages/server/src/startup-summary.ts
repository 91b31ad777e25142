import { MAX_IDLE_FACTORS, type StartupFacts } from './startup-facts.js';

/** Returns the facts of a start as a table for a terminal: one a line, with the setting that changes it. */
export function startupSummary(facts: StartupFacts): string {
  const lines = startupLines(facts);
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    `Latchkey ${facts.version} is ready`,
    ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ].join('\n');
}

/** Returns the lines of the table: name and value of each part. */
export function startupLines(facts: StartupFacts): [name: string, value: string][] {
  return [
    ['environment', facts.environment],
    ['address', `http://${facts.host}:${facts.port} (public: ${facts.publicUrl})${networkHint(facts)}`],
    ['database', describeDatabase(facts)],
    ...schemaLine(facts),
    ['redis', describeRedis(facts)],
    ['signing key', describeKey(facts)],
    ['passwords', describePasswords(facts)],
    ['breach list', describeBreachList(facts)],
    ['places', describePlaces(facts)],
    ['mail', describeMail(facts)],
    ['core service', describeCoreService(facts)],
    ['registration', facts.registration ? 'open' : 'off (PUBLIC_REGISTRATION_ENABLED)'],
    ['machine routes', facts.machineRoutes ? 'on' : 'off (AUTH_INTERNAL_API_KEY)'],
    ['metrics', describeMetrics(facts)],
    ['passkeys', facts.passkeysFor === undefined ? 'off' : `on for ${facts.passkeysFor}`],
    ['second factor', describeSecondFactor(facts)],
    ...onlyHereLine(facts),
  ];
}

/** Addresses that mean every interface. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Warns in development, where callers from other machines are not expected. */
const networkHint = ({ host, environment }: StartupFacts): string =>
  environment !== 'production' && EVERYWHERE.has(host)
    ? '; others on your network can reach it (HOST=127.0.0.1 to prevent that)'
    : '';

const describeDatabase = ({ database, defaults }: StartupFacts): string =>
  defaults.includes('DATABASE_URL') ? `embedded PostgreSQL, development only: ${database}` : database;

/** Named only where it deviates: after a return to an earlier version. */
const schemaLine = ({ newerMigrations: newer = [] }: StartupFacts): [string, string][] =>
  newer.length === 0 ? [] : [['schema', `newer than this version, which can run on it: ${newer.join(', ')}`]];

const CAPABILITIES: Record<string, string> = {
  API_KEYS: 'API keys',
  MAILED_SIGN_IN: 'sign-in by mail',
  TRUSTED_DEVICE_DAYS: 'trusted devices',
  ACCOUNT_DELETION: 'deletion of the own account',
  STAFF_ACTING: 'sign-in of staff as users',
  PROFILE_PICTURES: 'pictures of users',
  WEBHOOKS: 'webhooks',
};

/** Named only where they are on without being set: production has them off. */
const onlyHereLine = ({ onlyHere = [] }: StartupFacts): [string, string][] =>
  onlyHere.length === 0
    ? []
    : [
        [
          'only here',
          `${onlyHere.map((name) => `${CAPABILITIES[name] ?? name} (${name})`).join(', ')}; off in production unless set`,
        ],
      ];

function describeRedis({ redis, defaults }: StartupFacts): string {
  if (redis !== 'in-process') return redis;
  return defaults.includes('REDIS_URL')
    ? 'in-process store, development only (REDIS_URL)'
    : 'in-process store, for this one process; its content is lost at a restart (REDIS_URL=memory:)';
}

const describePasswords = ({ passwordEngine, hashingThreads: threads }: StartupFacts): string =>
  `Argon2id by ${passwordEngine}, ${threads === 1 ? '1 thread' : `${threads} threads`} (HASHING_THREADS)`;

function describeBreachList({ breachListEntries, breachListBuiltAt }: StartupFacts): string {
  if (breachListEntries === undefined) return 'none (PASSWORD_BREACH_LIST)';
  return `${breachListEntries.toLocaleString('en')} entries, built on ${breachListBuiltAt?.slice(0, 10) ?? '?'}`;
}

const describePlaces = ({ geoipType, geoipBuiltAt }: StartupFacts): string =>
  geoipType === undefined
    ? 'none (GEOIP_DATABASE)'
    : `${geoipType}, built on ${geoipBuiltAt?.slice(0, 10) ?? '?'}`;

const describeKey = ({ signingKeyId, signingKeyFile }: StartupFacts): string =>
  signingKeyFile === undefined
    ? signingKeyId
    : `${signingKeyId}, development only: kept in ${signingKeyFile}`;

const WHO_NEEDS_A_FACTOR: Record<Exclude<StartupFacts['secondFactor'], 'off'>, string> = {
  optional: 'for users who have set one up',
  staff: 'required of platform staff',
  all: 'required of all users',
};

function describeSecondFactor({ secondFactor, factorKeyFile, idleFactors = 0 }: StartupFacts): string {
  if (secondFactor === 'off') {
    const count = idleFactors < MAX_IDLE_FACTORS ? `${idleFactors}` : `${idleFactors} or more`;
    const idle = idleFactors > 0 ? `; ${count} set up by users are not asked for` : '';
    return `off${idle} (SECOND_FACTOR, ENCRYPTION_KEYS)`;
  }
  const hint = factorKeyFile === undefined ? '' : `; key of development only: kept in ${factorKeyFile}`;
  return `${WHO_NEEDS_A_FACTOR[secondFactor]} (SECOND_FACTOR)${hint}`;
}

function describeMail({ mail, port }: StartupFacts): string {
  switch (mail) {
    case 'smtp':
      return 'SMTP';
    case 'app':
      return 'a function of the app';
    case 'inbox':
      return `kept at http://localhost:${port}/dev/mail, links are logged; development only (SMTP_URL, MAIL_FROM)`;
    case 'off':
      return 'off: no mail is sent (SMTP_URL, MAIL_FROM)';
  }
}

function describeCoreService({ coreService, environment }: StartupFacts): string {
  if (coreService !== undefined) return coreService;
  const hint = environment === 'production' ? '' : '; try it with: npm run example:core';
  return `not configured; company access requests return 503 (CORE_BASE_URL)${hint}`;
}

const describeMetrics = ({ metrics }: StartupFacts): string =>
  metrics === 'off' ? 'off (METRICS_PORT, or AUTH_INTERNAL_API_KEY)' : metrics;
