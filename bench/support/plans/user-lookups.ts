import { newId } from '../../../packages/core/src/kernel/id.js';
import { ApprovalNoticeRepository } from '../../../packages/core/src/login/approval-notice-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { EmailChangeRepository } from '../../../packages/core/src/users/email-change-repository.js';
import { EmailVerificationRepository } from '../../../packages/core/src/users/email-verification-repository.js';
import { PasswordHashRepository } from '../../../packages/core/src/users/password-hash-repository.js';
import { PasswordResetRepository } from '../../../packages/core/src/users/password-reset-repository.js';
import { UserQueries } from '../../../packages/core/src/users/user-queries.js';
import { UserRepository, type NewUser } from '../../../packages/core/src/users/user-repository.js';
import { USER_SORTS } from '../../../packages/core/src/users/user.js';
import { beyondOneUser, PAGE, rolledBack, TOTALS, type Lookup } from './lookup.js';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$';

const NEW_USER: NewUser = {
  email: 'new@example.com',
  authProvider: 'password',
  globalRole: 'NONE',
  approvalStatus: 'PENDING',
  isActive: false,
  legacyIds: {},
  fullName: 'New Person',
  phonePrefix: null,
  phoneNumber: null,
  profilePictureUrl: null,
  locale: null,
  passwordHash: HASH,
  isEmailVerified: false,
};

export function userLookups(database: Database): Lookup[] {
  return [
    ...reads(database),
    ...beyondOneUser('a list', lists(database)),
    ...changes(database),
    ...tokens(database),
    ...verificationLinks(database),
    ...emailChangeLinks(database),
  ];
}

function reads(database: Database): Lookup[] {
  const users = new UserRepository(database);
  const queries = new UserQueries(database);
  return [
    { name: 'user by email for a login', run: ({ email }) => users.findForLogin(email) },
    { name: 'user by id with password', run: ({ userId }) => users.findWithPassword(userId) },
    { name: 'user by id', run: ({ userId }) => users.findById(userId) },
    { name: 'user by email', run: ({ email }) => users.findByEmail(email) },
    { name: 'emails of users', run: ({ userId }) => users.emailsOf([userId]) },
    {
      name: 'number of pending users',
      run: () => queries.countPending({ onlyProved: true }),
      beyondOneUser: 'a number for operators',
    },
    {
      name: 'users by the prefix of an email',
      run: ({ email }) => queries.findByPrefix(email.slice(0, email.indexOf('@')), 11),
    },
    {
      name: 'users by the prefix of an id',
      run: ({ userId }) => queries.findByPrefix(userId.slice(0, 13), 11),
    },
    { name: 'active superadmin', run: () => users.findSuperadmin() },
    {
      name: 'other superadmins',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await users.lockSuperadmins(trx);
          await users.countOtherSuperadmins(userId, trx);
        }),
    },
    {
      name: 'kinds of password hashes',
      run: () => new PasswordHashRepository(database).kinds(),
      readsMany: 'a sample of at most 250 pages',
    },
  ];
}

function lists(database: Database): Lookup[] {
  const users = new UserQueries(database);
  return [
    { name: 'users, first page', run: () => users.list({}, PAGE), readsMany: TOTALS },
    {
      name: 'users, deep page',
      run: (population) => users.list({}, { limit: 50, offset: population.users / 2 }),
      readsMany: 'an offset is counted',
    },
    { name: 'pending users', run: () => users.list({ approvalStatus: 'PENDING' }, PAGE) },
    {
      name: 'approved users',
      run: () => users.list({ approvalStatus: 'APPROVED' }, PAGE),
      readsMany: TOTALS,
    },
    { name: 'platform staff', run: () => users.list({ globalRole: 'PLATFORM_ADMIN' }, PAGE) },
    { name: 'inactive users', run: () => users.list({ isActive: false }, PAGE) },
    { name: 'users by email prefix or name', run: () => users.list({ search: 'person 4711' }, PAGE) },
    { name: 'users by two letters', run: () => users.list({ search: 'zq' }, PAGE) },
    { name: 'users by two letters beyond ASCII', run: () => users.list({ search: 'öz' }, PAGE) },
    { name: 'users by a text that no user has', run: () => users.list({ search: 'no such person' }, PAGE) },
    {
      name: 'pending users by email prefix or name',
      run: () => users.list({ search: 'person 47', approvalStatus: 'PENDING' }, PAGE),
    },
    ...orders(users),
    {
      name: 'users by a common part of a name',
      run: () => users.list({ search: 'person' }, PAGE),
      readsMany: TOTALS,
    },
  ];
}

/** Returns look-ups of the first page of each order, and of one in the middle by cursor. */
const orders = (users: UserQueries): Lookup[] =>
  USER_SORTS.flatMap((sort): Lookup[] => [
    { name: `users sorted by ${sort}`, run: () => users.list({ sort }, PAGE), readsMany: TOTALS },
    {
      name: `users sorted by ${sort}, deep page by cursor`,
      run: async () => {
        const { nextCursor } = await users.list({ sort, search: 'person 47' }, { limit: 5, offset: 0 });
        return users.list({ sort }, { ...PAGE, cursor: nextCursor });
      },
      readsMany: TOTALS,
    },
  ]);

function changes(database: Database): Lookup[] {
  const users = new UserRepository(database);
  const notices = new ApprovalNoticeRepository(database);
  return [
    { name: 'new user', run: () => rolledBack(database, (trx) => users.insert(NEW_USER, trx)) },
    { name: 'replaced password hash', run: ({ userId }) => users.replaceHash(userId, HASH, `${HASH}a`) },
    {
      name: 'changes of a user',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await users.lock([userId], trx);
          await users.update(userId, { email: 'other@example.com' }, { raiseTokenVersion: true }, trx);
          await users.markEmailVerified(userId, trx);
          await users.setPassword(userId, { passwordHash: HASH, raiseTokenVersion: true }, trx);
        }),
    },
    {
      name: 'notice of a waiting registration',
      run: () => rolledBack(database, (trx) => notices.schedule(['admin@example.com'], trx)),
    },
  ];
}

function tokens(database: Database): Lookup[] {
  const resets = new PasswordResetRepository(database);
  const allowance = { capacity: 3, refillSeconds: 600 };
  return [
    { name: 'reset token', run: ({ resetToken }) => resets.findUsable(resetToken) },
    {
      name: 'issue and use of a reset token',
      run: ({ userId, email, resetToken }) =>
        rolledBack(database, async (trx) => {
          const id = newId();
          const tokenDigest = Buffer.alloc(32, 4);
          const token = { id, userId, tokenDigest, lifetime: 1800, requestedAt: new Date() };
          await resets.issue(token, allowance, trx);
          await resets.spend({ id, userId, email }, resetToken, trx);
          await resets.revokeAll(userId, trx);
        }),
    },
  ];
}

/** Lists what the links of registrations run. */
function verificationLinks(database: Database): Lookup[] {
  const users = new UserRepository(database);
  const verifications = new EmailVerificationRepository(database);
  return [
    {
      name: 'verification token',
      run: ({ verificationToken }) => verifications.findUsable(verificationToken),
    },
    { name: 'rejection token', run: () => verifications.findRejectable(Buffer.alloc(32, 6)) },
    { name: 'open verification', run: ({ verificationId }) => verifications.findOpen(verificationId) },
    {
      name: 'issue and use of a verification token',
      run: ({ userId, verificationToken }) =>
        rolledBack(database, async (trx) => {
          const [user] = (await users.lock([userId], trx)).values();
          await verifications.resendWait(userId, 3, trx);
          const id = await verifications.insert(userId, trx);
          const digests = {
            tokenDigest: Buffer.alloc(32, 5),
            rejectionDigest: Buffer.alloc(32, 6),
            lifetime: 3600,
          };
          await verifications.hasOpen(userId, trx);
          await verifications.issue({ id, ...digests }, trx);
          const other = {
            tokenDigest: Buffer.alloc(32, 7),
            rejectionDigest: Buffer.alloc(32, 8),
            lifetime: 3600,
          };
          await verifications.issueAgain({ id: newId(), ...other }, { userId, perHour: 3 }, trx);
          if (user) await verifications.spend({ id, user }, { tokenDigest: verificationToken }, trx);
          await verifications.revokeAll(userId, trx);
        }),
    },
  ];
}

/** Lists what the links of changed addresses run. */
function emailChangeLinks(database: Database): Lookup[] {
  const emailChanges = new EmailChangeRepository(database);
  return [
    {
      name: 'request, confirmation and undo of a change of address',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const [tokenDigest, undoDigest] = [Buffer.alloc(32, 9), Buffer.alloc(32, 10)];
          const wanted = { userId, sessionId: newId(), newEmail: 'other@example.com' };
          await emailChanges.requestWait(userId, 3, trx);
          await emailChanges.endPending(userId, trx);
          const id = await emailChanges.insert(wanted, trx);
          await emailChanges.issue(id, { digest: tokenDigest, lifetime: 3600 }, trx);
          await emailChanges.confirm(id, tokenDigest, { oldEmail: 'old@example.com', lifetime: 3600 }, trx);
          await emailChanges.issueUndo(id, undoDigest, trx);
          const undone = { id, userId, oldEmail: 'old@example.com', requestedAt: new Date() };
          await emailChanges.undo(undone, undoDigest, trx);
        }),
    },
    { name: 'token of a change of address', run: () => emailChanges.findUsable(Buffer.alloc(32, 9)) },
  ];
}
