import type { Settings } from '@latchkey/core';
import { encryptionKeyId } from '../../../packages/core/src/encryption/encryption-key-id.js';
import type { MigrationStatus } from '../../../packages/core/src/storage/migrator.js';
import type { Facts } from '../../../packages/operations/src/doctor/facts.js';
import type { ContentFacts } from '../../../packages/operations/src/doctor/probes/content-probe.js';
import type { DatabaseFacts } from '../../../packages/operations/src/doctor/probes/database-probe.js';
import type {
  RedisFacts,
  RedisNodeFacts,
} from '../../../packages/operations/src/doctor/probes/redis-probe.js';
import { productionWith, settingsWith, type CheckCase } from './check-case.js';
import { databaseHostCases } from './database-host-cases.js';

/** Returns the cases of dependencies: database, its content, and Redis. */
export const dependencyCases = (): CheckCase[] => [
  ...databaseCases(),
  ...databaseHostCases(),
  ...contentCases(),
  ...redisCases(),
];

const SERVER: DatabaseFacts['settings'] = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  superuser_reserved_connections: '3',
  default_transaction_read_only: 'off',
  server_version_num: '170002',
  server_version: '17.2',
  server_encoding: 'UTF8',
};

const HEALTHY: DatabaseFacts = {
  settings: SERVER,
  isStandby: false,
  ownLimit: undefined,
  otherConnections: 0,
  oldestTransaction: 0,
  hasTrigrams: true,
  role: 'latchkey',
  schema: 'public',
  mayCreate: true,
  lacking: [],
  clock: { ahead: 3, uncertainty: 1, roundTrip: 2 },
  pooler: undefined,
};

const database = (changes: Partial<DatabaseFacts> = {}): Pick<Facts, 'database'> => ({
  database: { ...HEALTHY, ...changes },
});
const server = (changes: Partial<DatabaseFacts['settings']>): Pick<Facts, 'database'> =>
  database({ settings: { ...SERVER, ...changes } });
const clock = (ahead: number): Pick<Facts, 'database'> =>
  database({ clock: { ahead, uncertainty: 1, roundTrip: 2 } });

const databaseCase = (
  id: string,
  when: string,
  status: CheckCase['status'],
  facts: CheckCase['facts'],
): CheckCase => ({
  id: `database.${id}`,
  when,
  status,
  facts: { settings: productionWith(), replicas: 2, ...facts },
});

const migration = (state: MigrationStatus['state'], compatible: boolean | null = null): MigrationStatus => ({
  version: '0001',
  name: 'users',
  state,
  compatible,
  appliedAt: null,
});

const databaseCases = (): CheckCase[] => [
  databaseCase('reachable', 'the round trip is short', 'ok', database()),
  databaseCase(
    'reachable',
    'the round trip is long',
    'warning',
    database({ clock: { ahead: 0, uncertainty: 80, roundTrip: 160 } }),
  ),
  databaseCase('encoding', 'it is UTF8', 'ok', database()),
  databaseCase('encoding', 'it is LATIN1', 'error', server({ server_encoding: 'LATIN1' })),
  databaseCase('rights', 'nothing is missing', 'ok', { ...database(), schema: [migration('applied')] }),
  databaseCase('rights', 'a table cannot be changed', 'error', {
    ...database({ lacking: ['users'] }),
    schema: [migration('applied')],
  }),
  databaseCase('rights', 'pending migrations cannot create tables', 'error', {
    ...database({ mayCreate: false }),
    schema: [migration('pending')],
  }),
  databaseCase('rights', 'nothing is pending', 'ok', {
    ...database({ mayCreate: false }),
    schema: [migration('applied')],
  }),
  databaseCase('version', 'it is 17', 'ok', database()),
  databaseCase(
    'version',
    'it is 14',
    'error',
    server({ server_version_num: '140011', server_version: '14.11' }),
  ),
  databaseCase('primary', 'it is one', 'ok', database()),
  databaseCase('primary', 'it is a standby', 'error', database({ isStandby: true })),
  databaseCase('primary', 'it is read-only', 'error', server({ default_transaction_read_only: 'on' })),
  databaseCase('fsync', 'it is on', 'ok', database()),
  databaseCase('fsync', 'it is off in production', 'error', server({ fsync: 'off' })),
  databaseCase('fsync', 'it is off in development', 'warning', {
    ...server({ fsync: 'off' }),
    settings: settingsWith(),
  }),
  databaseCase('full_page_writes', 'it is on', 'ok', database()),
  databaseCase('full_page_writes', 'it is off', 'error', server({ full_page_writes: 'off' })),
  databaseCase(
    'synchronous_commit',
    'it is remote_apply',
    'ok',
    server({ synchronous_commit: 'remote_apply' }),
  ),
  databaseCase('synchronous_commit', 'it is off', 'warning', server({ synchronous_commit: 'off' })),
  databaseCase('clock', 'they agree', 'ok', database()),
  databaseCase(
    'clock',
    'the round trip is longer than the difference',
    'ok',
    database({ clock: { ahead: -1500, uncertainty: 900, roundTrip: 1800 } }),
  ),
  databaseCase('clock', 'they are 3 s apart', 'warning', clock(-3000)),
  databaseCase('clock', 'they are 6 s apart', 'error', clock(6000)),
  databaseCase('connections', 'enough are free', 'ok', database()),
  databaseCase('connections', 'most is taken', 'warning', database({ otherConnections: 60 })),
  databaseCase('connections', 'others take too much', 'error', database({ otherConnections: 90 })),
  databaseCase('connections', 'the account may open few', 'error', database({ ownLimit: 15 })),
  databaseCase('pooler', 'there is none', 'ok', database()),
  databaseCase('pooler', 'it holds statements', 'ok', database({ pooler: { holdsPrepared: true } })),
  databaseCase('pooler', 'it loses statements', 'warning', database({ pooler: { holdsPrepared: false } })),
  databaseCase(
    'pooler',
    'its support of statements is unknown',
    'warning',
    database({ pooler: { holdsPrepared: undefined } }),
  ),
  databaseCase('pooler', 'it loses statements, and there are none', 'ok', {
    ...database({ pooler: { holdsPrepared: false } }),
    settings: productionWith({ DATABASE_PREPARED_STATEMENTS: 'false' }),
  }),
  databaseCase('transactions', 'all are short', 'ok', database({ oldestTransaction: 2 })),
  databaseCase('transactions', 'one is open for an hour', 'warning', database({ oldestTransaction: 3600 })),
  databaseCase('trigrams', 'the extension is there', 'ok', database()),
  databaseCase('trigrams', 'the extension is missing', 'warning', database({ hasTrigrams: false })),
  ...(
    [
      ['applied', 'ok'],
      ['pending', 'warning'],
      ['changed', 'error'],
      ['missing', 'error'],
    ] as const
  ).map(([state, status]) => ({
    id: 'database.schema',
    when: `one is ${state}`,
    status,
    facts: { schema: [migration(state)] },
  })),
  ...(
    [
      [true, 'warning'],
      [false, 'error'],
      [null, 'error'],
    ] as const
  ).map(([compatible, status]) => ({
    id: 'database.schema',
    when: `a newer one is declared as ${compatible}`,
    status,
    facts: { schema: [migration('applied'), migration('newer', compatible)] },
  })),
];

const [FACTOR_KEY, OTHER_FACTOR_KEY] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
];
const KEY_ID = encryptionKeyId(Buffer.from(FACTOR_KEY, 'base64'));

const WITH_WEBHOOKS = productionWith({ WEBHOOKS: 'all', ENCRYPTION_KEYS: FACTOR_KEY });

const CONTENT: ContentFacts = {
  superadmins: 1,
  outbox: { waiting: 0, oldestWait: 0, givenUp: 0, lastError: null },
  sessions: { ended: 10, seen: 500 },
  tables: [{ name: 'sessions', live: 50_000, dead: 20_000 }],
  oldestRevocation: 90_000,
  webhooks: { active: 2, failing: 0, disabled: 0, behind: 1 },
  factorKeys: [],
  deletions: { overdue: 0, oldest: 0 },
  apiKeys: { withoutEnd: 0, unused: 0, ofInactiveCreators: 0 },
};

const contentCase = (
  id: string,
  when: string,
  status: CheckCase['status'],
  { settings = productionWith(), ...changes }: Partial<ContentFacts> & { settings?: Settings } = {},
): CheckCase => ({ id, when, status, facts: { content: { ...CONTENT, ...changes }, settings } });

const contentCases = (): CheckCase[] => [
  contentCase('database.superadmin', 'there is one', 'ok'),
  contentCase('database.superadmin', 'there is none in production', 'error', { superadmins: 0 }),
  contentCase('database.superadmin', 'there is none in development', 'warning', {
    superadmins: 0,
    settings: settingsWith(),
  }),
  contentCase('database.vacuum', 'most rows are live', 'ok'),
  contentCase('database.vacuum', 'most rows are dead', 'warning', {
    tables: [{ name: 'sessions', live: 10_000, dead: 90_000 }],
  }),
  contentCase('database.vacuum', 'few rows are dead', 'ok', {
    tables: [{ name: 'users', live: 5, dead: 90 }],
  }),
  contentCase('database.leftovers', 'there are few', 'ok'),
  contentCase('database.leftovers', 'there are many', 'warning', {
    sessions: { ended: 40_000, seen: 50_000 },
  }),
  contentCase('database.revocations', 'there is none', 'ok', { oldestRevocation: 0 }),
  contentCase('database.revocations', 'the oldest is from yesterday', 'ok'),
  contentCase('database.revocations', 'the oldest is a month old', 'warning', {
    oldestRevocation: 30 * 86_400,
  }),
  contentCase('database.deletions', 'none is overdue', 'ok'),
  contentCase('database.deletions', 'some are overdue', 'warning', {
    deletions: { overdue: 2, oldest: 3 * 86_400 },
    settings: productionWith({ ACCOUNT_DELETION: 'self', MAIL_BY_APP: 'true' }),
  }),
  contentCase('database.deletions', 'some are overdue, and the setting is off', 'warning', {
    deletions: { overdue: 1, oldest: 2 * 86_400 },
  }),
  contentCase('keys.api_keys', 'none is unused', 'ok'),
  contentCase('keys.api_keys', 'some are unused', 'warning', {
    apiKeys: { withoutEnd: 1, unused: 2, ofInactiveCreators: 1 },
  }),
  contentCase('webhooks.deliveries', 'they are off', 'skipped'),
  contentCase('webhooks.deliveries', 'all receivers accept', 'ok', { settings: WITH_WEBHOOKS }),
  contentCase('webhooks.deliveries', 'a receiver fails', 'warning', {
    settings: WITH_WEBHOOKS,
    webhooks: { active: 2, failing: 1, disabled: 0, behind: 0 },
  }),
  contentCase('webhooks.cursor', 'there is no endpoint', 'skipped', {
    settings: WITH_WEBHOOKS,
    webhooks: { active: 0, failing: 0, disabled: 0, behind: 0 },
  }),
  contentCase('webhooks.cursor', 'it is up to date', 'ok', { settings: WITH_WEBHOOKS }),
  contentCase('webhooks.cursor', 'it is an hour behind', 'warning', {
    settings: WITH_WEBHOOKS,
    webhooks: { active: 2, failing: 0, disabled: 0, behind: 3_600 },
  }),
  contentCase('keys.factors', 'there is none', 'ok'),
  contentCase('keys.factors', 'they are off', 'skipped', { factorKeys: [{ keyId: KEY_ID, count: 3 }] }),
  contentCase('keys.factors', 'the first key encrypts all', 'ok', {
    factorKeys: [{ keyId: KEY_ID, count: 3 }],
    settings: productionWith({ FACTOR_ENCRYPTION_KEYS: FACTOR_KEY }),
  }),
  contentCase('keys.factors', 'an older key is still needed', 'warning', {
    factorKeys: [{ keyId: KEY_ID, count: 3 }],
    settings: productionWith({ FACTOR_ENCRYPTION_KEYS: `${OTHER_FACTOR_KEY},${FACTOR_KEY}` }),
  }),
  contentCase('keys.factors', 'recovery codes have no key', 'warning', {
    factorKeys: [
      { keyId: KEY_ID, count: 3 },
      { keyId: null, count: 2 },
    ],
    settings: productionWith({ FACTOR_ENCRYPTION_KEYS: FACTOR_KEY }),
  }),
  contentCase('keys.factors', 'a key is lost', 'error', {
    factorKeys: [{ keyId: KEY_ID, count: 3 }],
    settings: productionWith({ FACTOR_ENCRYPTION_KEYS: OTHER_FACTOR_KEY }),
  }),
  contentCase('mail.outbox', 'nothing waits', 'ok'),
  contentCase('mail.outbox', 'a mail has just been queued', 'ok', {
    outbox: { waiting: 2, oldestWait: 30, givenUp: 0, lastError: null },
  }),
  contentCase('mail.outbox', 'a mail has waited for an hour', 'warning', {
    outbox: { waiting: 2, oldestWait: 3600, givenUp: 0, lastError: 'connection refused' },
  }),
  contentCase('mail.outbox', 'a mail was given up', 'warning', {
    outbox: { waiting: 0, oldestWait: 0, givenUp: 1, lastError: 'no such mailbox' },
  }),
];

const NODE: RedisNodeFacts = {
  version: '7.2.4',
  role: 'master',
  evictionPolicy: 'noeviction',
  usedBytes: 1_000_000,
  limitBytes: 0,
};

const redisCase = (
  id: string,
  when: string,
  status: CheckCase['status'],
  { milliseconds = 1, unusable, ...node }: Partial<RedisNodeFacts & RedisFacts> = {},
): CheckCase => ({
  id: `redis.${id}`,
  when,
  status,
  facts: { redis: { milliseconds, unusable, nodes: [NODE, { ...NODE, ...node }] } },
});

const redisCases = (): CheckCase[] => [
  redisCase('reachable', 'the round trip is short', 'ok'),
  redisCase('reachable', 'the round trip is long', 'warning', { milliseconds: 180 }),
  redisCase('usable', 'all commands work', 'ok'),
  redisCase('usable', 'one is rejected', 'error', { unusable: 'NOPERM' }),
  redisCase('version', 'all are new', 'ok'),
  redisCase('version', 'one of two is 6.0', 'error', { version: '6.0.16' }),
  redisCase('version', 'one is 10', 'ok', { version: '10.0.0' }),
  redisCase('role', 'all are masters', 'ok'),
  redisCase('role', 'one is a replica', 'error', { role: 'slave' }),
  redisCase('eviction', 'no key is evicted', 'ok'),
  redisCase('eviction', 'one of two evicts', 'warning', { evictionPolicy: 'allkeys-lru' }),
  redisCase('memory', 'there is no limit', 'ok'),
  redisCase('memory', 'half is used', 'ok', { limitBytes: 2_000_000 }),
  redisCase('memory', 'nearly all is used', 'warning', { limitBytes: 1_050_000 }),
];
