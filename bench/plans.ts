import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { ModuleRuleRepository } from '../packages/core/src/access/module-rule-repository.js';
import { AuditListRepository } from '../packages/core/src/audit/audit-list-repository.js';
import { AuditRepository } from '../packages/core/src/audit/audit-repository.js';
import { AuthEvents } from '../packages/core/src/audit/auth-events.js';
import { InvitationRepository } from '../packages/core/src/invitations/invitation-repository.js';
import { silentLogger } from '../packages/core/src/kernel/logger.js';
import { OutboxListRepository } from '../packages/core/src/mail/outbox-list-repository.js';
import { OutboxRepository } from '../packages/core/src/mail/outbox-repository.js';
import { MembershipQueries } from '../packages/core/src/memberships/membership-queries.js';
import { MembershipRepository } from '../packages/core/src/memberships/membership-repository.js';
import { RotationRepository } from '../packages/core/src/sessions/rotation-repository.js';
import { SessionQueries } from '../packages/core/src/sessions/session-queries.js';
import { SessionRepository } from '../packages/core/src/sessions/session-repository.js';
import { SessionTreeRepository } from '../packages/core/src/sessions/session-tree-repository.js';
import { Database } from '../packages/core/src/storage/database.js';
import { Migrator } from '../packages/core/src/storage/migrator.js';
import { resolveMigrationsDirectory } from '../packages/core/src/storage/resolve-migrations-path.js';
import { EmailVerificationRepository } from '../packages/core/src/users/email-verification-repository.js';
import { PasswordHashRepository } from '../packages/core/src/users/password-hash-repository.js';
import { PasswordResetRepository } from '../packages/core/src/users/password-reset-repository.js';
import { UserRepository } from '../packages/core/src/users/user-repository.js';
import { startPostgres } from '../test/support/postgres.js';
import { cleanupLookups } from './support/cleanup-lookups.js';
import { operatorLookups } from './support/operator-lookups.js';
import { PlanRecorder } from './support/plan-recorder.js';
import { seedPopulation, type Population } from './support/population.js';

// Runs every list and lookup of the interface with a million users and prints the scans that PostgreSQL chose. Fails
// when a query scans a large table sequentially although an index should be used.
const USERS = Number(process.env.BENCH_USERS ?? 1_000_000);
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 1_000_000);
const PAGE = { limit: 50, offset: 0 };

interface Lookup {
  name: string;
  run: (population: Population) => Promise<unknown>;
  /** True for counts and sums of a whole table, which read every row. */
  readsAll?: boolean;
}

const postgres = await startPostgres();
try {
  const population = await prepare(postgres.url);
  // One connection, so that its notices are the plans of the current query.
  const database = new Database({ url: postgres.url, poolMax: 1, preparedStatements: true });
  const recorder = await PlanRecorder.attach(database);
  const failures = await explainAll(lookups(database), population, recorder);
  await database.close();
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}

async function prepare(url: string): Promise<Population> {
  const database = new Database({ url, poolMax: 1, preparedStatements: true });
  await new Migrator(database, resolveMigrationsDirectory('migrations'), silentLogger).up();
  await database.close();
  const client = new pg.Client(url);
  await client.connect();
  const started = performance.now();
  console.log(`Seeding ${USERS} users and ${SESSIONS} sessions …`);
  const population = await seedPopulation(client, USERS, SESSIONS);
  console.log(`… took ${Math.round((performance.now() - started) / 1000)} s`);
  await PlanRecorder.enable(client);
  await client.end();
  return population;
}

function lookups(database: Database): Lookup[] {
  const users = new UserRepository(database);
  const sessions = new SessionRepository(
    database,
    new AuditRepository(database, new AuthEvents(silentLogger)),
  );
  const trees = new SessionTreeRepository(database);
  const rotations = new RotationRepository(database);
  const sessionQueries = new SessionQueries(database);
  const memberships = new MembershipRepository(database);
  const members = new MembershipQueries(database);
  const rules = new ModuleRuleRepository(database);
  const invitations = new InvitationRepository(database);
  const resets = new PasswordResetRepository(database);
  const verifications = new EmailVerificationRepository(database);
  const outbox = new OutboxRepository(database);
  const mails = new OutboxListRepository(database);
  const audit = new AuditListRepository(database);
  return [
    { name: 'user by email', run: ({ email }) => users.findForLogin(email) },
    { name: 'user by id', run: ({ userId }) => users.findById(userId) },
    {
      name: 'users by the prefix of an email',
      run: ({ email }) => users.findByPrefix(email.slice(0, email.indexOf('@')), 11),
    },
    {
      name: 'users by the prefix of an id',
      run: ({ userId }) => users.findByPrefix(userId.slice(0, 13), 11),
    },
    // Reads at most 1,000 pages, which the plan does not show.
    {
      name: 'kinds of password hashes',
      run: () => new PasswordHashRepository(database).kinds(),
      readsAll: true,
    },
    { name: 'active superadmin', run: () => users.findSuperadmin() },
    {
      name: 'sessions by the prefix of an id',
      run: ({ sessionId }) => sessionQueries.findByPrefix(sessionId.slice(0, 13), 11),
    },
    { name: 'session check', run: ({ sessionId }) => sessions.check([sessionId]) },
    {
      name: 'session check with memberships',
      run: ({ sessionId }) => sessions.checkWithMemberships([sessionId]),
    },
    { name: 'memberships of a user', run: ({ userId }) => memberships.ofUser(userId) },
    {
      name: 'rotation',
      run: ({ token }) => rotations.rotate(token, token.secretDigest, { idle: 3600, absolute: 7200 }),
    },
    { name: 'sessions of a user', run: ({ userId }) => sessionQueries.listActive({ userId }, PAGE) },
    {
      name: 'revocation of all sessions of a user',
      run: ({ userId }) => database.transaction((trx) => trees.revokeAllOf(userId, 'revoke_all', {}, trx)),
    },
    {
      name: 'revocation of a session with its descendants',
      run: ({ sessionId }) => database.transaction((trx) => trees.revokeTree(sessionId, 'revoked', trx)),
    },
    {
      name: 'all sessions, first page and total',
      run: () => sessionQueries.listActive({}, PAGE),
      readsAll: true,
    },
    { name: 'session statistics', run: () => sessionQueries.stats(), readsAll: true },
    { name: 'users, first page and total', run: () => users.list({}, PAGE), readsAll: true },
    {
      name: 'users, deep page and total',
      run: () => users.list({}, { limit: 50, offset: USERS / 2 }),
      readsAll: true,
    },
    { name: 'pending users', run: () => users.list({ approvalStatus: 'PENDING' }, PAGE) },
    { name: 'platform staff', run: () => users.list({ globalRole: 'PLATFORM_ADMIN' }, PAGE) },
    { name: 'inactive users', run: () => users.list({ isActive: false }, PAGE) },
    {
      name: 'sessions of a company',
      run: ({ companyId }) => sessionQueries.listActive({ companyId }, PAGE),
    },
    { name: 'company users', run: ({ companyId }) => members.companyUsers(companyId, PAGE) },
    { name: 'company memberships', run: ({ companyId }) => members.companyMembers(companyId, PAGE) },
    {
      name: 'business-unit users',
      run: ({ companyId, businessUnitId }) => members.businessUnitUsers({ companyId, businessUnitId }, PAGE),
    },
    {
      name: 'module rules of members',
      run: ({ membershipIds }) => rules.ofMemberships(membershipIds),
    },
    { name: 'invitations of a company', run: ({ companyId }) => invitations.list(companyId, PAGE) },
    { name: 'invitation by token', run: ({ invitationToken }) => invitations.findByToken(invitationToken) },
    { name: 'reset token', run: ({ resetToken }) => resets.findUsable(resetToken) },
    // Seeded with the same digests.
    { name: 'verification token', run: ({ resetToken }) => verifications.findUsable(resetToken) },
    {
      name: 'due mail',
      run: () => outbox.claimDue({ limit: 1, kinds: ['password_changed'], leaseSeconds: 60 }),
    },
    { name: 'mail, first page and total', run: () => mails.list({}, PAGE), readsAll: true },
    { name: 'mail that failed', run: () => mails.list({ state: 'failed' }, PAGE) },
    { name: 'mail that is tried again', run: () => mails.list({ state: 'retrying' }, PAGE) },
    { name: 'mail to an address', run: ({ email }) => mails.list({ to: email }, PAGE) },
    { name: 'number of failed mails', run: () => mails.failed() },
    { name: 'audit log, newest', run: () => audit.list({}, undefined, 51) },
    {
      name: 'audit log of a user',
      run: ({ userId }) => audit.list({ subjectUserId: userId }, undefined, 51),
    },
    {
      name: 'audit log of a company',
      run: ({ companyId }) => audit.list({ companyId }, undefined, 51),
    },
    {
      name: 'audit log by an actor',
      run: ({ userId }) => audit.list({ actorUserId: userId }, undefined, 51),
    },
    { name: 'audit log, denials', run: () => audit.list({ outcome: 'denied' }, undefined, 51) },
    { name: 'audit log of a session', run: ({ sessionId }) => audit.list({ sessionId }, undefined, 51) },
    { name: 'users by email prefix or name', run: () => users.list({ search: 'person 4711' }, PAGE) },
    ...operatorLookups(database),
    ...cleanupLookups(database),
  ];
}

async function explainAll(
  all: readonly Lookup[],
  population: Population,
  recorder: PlanRecorder,
): Promise<number> {
  const rows = [];
  let failures = 0;
  for (const lookup of all) {
    const started = performance.now();
    await lookup.run(population);
    const milliseconds = performance.now() - started;
    const { scans, wholeTables } = recorder.take();
    const isBad = wholeTables.length > 0 && lookup.readsAll !== true;
    if (isBad) failures++;
    rows.push({
      lookup: lookup.name,
      milliseconds: milliseconds.toFixed(1),
      scans: scans.join(', '),
      verdict: isBad ? `READS ALL OF ${wholeTables.join(', ')}` : 'ok',
    });
  }
  console.table(rows);
  return failures;
}
