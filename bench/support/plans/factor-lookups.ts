import { ChallengeRepository } from '../../../packages/core/src/factors/challenge-repository.js';
import { FactorStateQueries } from '../../../packages/core/src/factors/factor-state-queries.js';
import { RecoveryCodeRepository } from '../../../packages/core/src/factors/kinds/recovery-code/recovery-code-repository.js';
import { TotpRepository } from '../../../packages/core/src/factors/kinds/totp/totp-repository.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { UserRepository } from '../../../packages/core/src/users/user-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const SECRET = { keyId: '0000000000000000', bytes: Buffer.alloc(48) };
const STEP = 60_000_000;

export const factorLookups = (database: Database): Lookup[] => [
  ...enrolmentLookups(database),
  ...challengeLookups(database),
  ...keyLookups(database),
];

function enrolmentLookups(database: Database): Lookup[] {
  const totp = new TotpRepository(database);
  const recoveryCodes = new RecoveryCodeRepository(database);
  return [
    { name: 'second factors of a user', run: ({ userId }) => totp.list(userId) },
    { name: 'unused recovery codes of a user', run: ({ userId }) => recoveryCodes.countUnused(userId) },
    {
      name: 'enrolment and use of a second factor',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const factor = { id: newId(), userId, begunBy: newId() };
          await totp.insert({ ...factor, name: 'Phone', secret: SECRET }, trx);
          await totp.findUnconfirmed(factor, trx);
          await totp.confirm(factor, STEP, trx);
          await totp.secretsOf(userId, trx);
          await totp.use(factor.id, userId, STEP + 1, trx);
          await totp.remove(factor.id, userId, trx);
          await totp.removeUnconfirmed(userId, trx);
          await totp.removeAll(userId, trx);
        }),
    },
    {
      name: 'changes of recovery codes',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const digest = Buffer.alloc(32, 1);
          await recoveryCodes.replaceAll(userId, { digests: [digest], key: SECRET }, trx);
          await recoveryCodes.keysOf(userId, trx);
          await recoveryCodes.use(userId, [digest], trx);
          await recoveryCodes.removeAll(userId, trx);
        }),
    },
  ];
}

function challengeLookups(database: Database): Lookup[] {
  const challenges = new ChallengeRepository(database);
  const states = new FactorStateQueries(database);
  const users = new UserRepository(database);
  return [
    {
      name: 'wrong codes of a user',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await users.countWrongCode(userId, trx);
          await users.wrongCodesOf(userId, trx);
          await users.clearWrongCodes(userId, trx);
        }),
    },
    { name: 'number of second factors', run: () => states.countEnrolled() },
    { name: 'factors of a user at a sign-in', run: ({ userId }) => states.read(userId) },
    {
      name: 'challenge of a sign-in',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const digest = Buffer.alloc(32, 2);
          const state = { tokenVersion: 1, passwordHash: '', factorVersion: 0, enrols: false };
          const proof = { origin: 'password', method: 'password', amr: ['pwd'] };
          await challenges.insert({ userId, digest, ...proof, ...state }, trx);
          const found = await challenges.find(digest, trx);
          await challenges.codeWait(userId, trx);
          await challenges.fail(found?.id ?? newId(), true, trx);
          await challenges.spend(found?.id ?? newId(), trx);
        }),
    },
  ];
}

function keyLookups(database: Database): Lookup[] {
  const totp = new TotpRepository(database);
  const recoveryCodes = new RecoveryCodeRepository(database);
  const key = '0000000000000000';
  return [
    {
      name: 'users with recovery codes of older keys',
      run: () => recoveryCodes.usersOfOtherKeys(key, newId(), 50),
    },
    {
      name: 'recovery codes whose key is encrypted again',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await recoveryCodes.ofOtherKeys([userId], key, trx);
          await recoveryCodes.reencrypt([{ id: newId(), digest: Buffer.alloc(32), key: SECRET }], key, trx);
        }),
    },
    { name: 'secrets of older keys', run: () => totp.ofOtherKeys(key, newId(), 500) },
    {
      name: 'secret that is encrypted again',
      run: () => totp.replace({ id: newId(), place: 'none', secret: SECRET }, SECRET),
    },
  ];
}
