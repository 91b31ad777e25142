import { randomBytes } from 'node:crypto';
import { TOTP, Secret } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertUserBy } from '../../../../test/support/open-session.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { ValueCipher } from '../encryption/value-cipher.js';
import { newId } from '../kernel/id.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { Outbox } from '../mail/outbox.js';
import { SecurityNotices } from '../mail/security-notices.js';
import { Database } from '../storage/database.js';
import { UserRepository } from '../users/user-repository.js';
import { CodeGuesses } from './code-guesses.js';
import { FactorVerifier } from './factor-verifier.js';
import { RecoveryCodeRepository } from './recovery-code-repository.js';
import { digestOfRecoveryCode, generateRecoveryCodes } from './recovery-code.js';
import { generateTotpSecret } from './totp-codes.js';
import { placeOfSecret } from './totp-factor.js';
import { TotpRepository } from './totp-repository.js';
import { WrongCodeRepository } from './wrong-code-repository.js';

const cipher = new ValueCipher([randomBytes(32)]);
let testDatabase: TestDatabase;
let database: Database;
let totp: TotpRepository;
let recoveryCodes: RecoveryCodeRepository;
let verifier: FactorVerifier;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 8, preparedStatements: true });
  totp = new TotpRepository(database);
  recoveryCodes = new RecoveryCodeRepository(database);
  verifier = verifierWith(cipher);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const verifierWith = (own: ValueCipher): FactorVerifier =>
  new FactorVerifier({
    database,
    users: new UserRepository(database),
    totp,
    recoveryCodes,
    cipher: own,
    guesses: new CodeGuesses({
      database,
      wrongCodes: new WrongCodeRepository(database),
      notices: new SecurityNotices(new Outbox(new OutboxRepository(database), undefined), false),
    }),
  });

async function newUser(): Promise<string> {
  return (await insertUserBy(database)).id;
}

let lastStep = 0;

/** Enrols an authenticator app; its last accepted step is long ago. */
async function enrol(userId: string, own = cipher): Promise<{ id: string; secret: Buffer }> {
  const [id, begunBy, secret] = [newId(), newId(), generateTotpSecret()];
  await database.transaction(async (trx) => {
    const encrypted = own.encrypt(secret, placeOfSecret(userId, id));
    await totp.insert({ id, userId, begunBy, name: 'Phone', secret: encrypted }, trx);
    await totp.confirm({ id, userId, begunBy }, (lastStep += 1), trx);
  });
  return { id, secret };
}

/** The code of so many steps from now, by the clock of this machine, which is that of the database. */
const codeOf = (secret: Buffer, steps = 0): string =>
  new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

const settled = async (count: number, use: () => Promise<unknown>): Promise<number> =>
  (await Promise.all(Array.from({ length: count }, use))).filter(Boolean).length;

describe('a code', () => {
  it('a code is accepted once, also with spaces', async () => {
    const userId = await newUser();
    const { id, secret } = await enrol(userId);
    const code = codeOf(secret);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await verifier.useCode(userId, typed)).toEqual({ kind: 'totp', factorId: id });
    expect(await verifier.useCode(userId, code)).toBeUndefined();
  });

  it('of 20 simultaneous uses of a code one is accepted', async () => {
    const userId = await newUser();
    const code = codeOf((await enrol(userId)).secret);
    expect(await settled(20, () => verifier.useCode(userId, code))).toBe(1);
  });

  it('a code of the step before is accepted first, and not after that of the step itself', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const [{ secret: a }, { secret: b }] = [await enrol(first), await enrol(second)];
    expect(await verifier.useCode(first, codeOf(a, -1))).toBeDefined();
    expect(await verifier.useCode(first, codeOf(a, 0))).toBeDefined();
    expect(await verifier.useCode(second, codeOf(b, 1))).toBeDefined();
    expect(await verifier.useCode(second, codeOf(b, 0))).toBeUndefined();
  });

  it('a time step is accepted once per user, whichever app shows the code', async () => {
    const userId = await newUser();
    const apps = [await enrol(userId), await enrol(userId)];
    const codes = apps.map(({ secret }) => codeOf(secret, 1));
    const uses = await Promise.all(codes.map((code) => verifier.useCode(userId, code)));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('a code of another user is rejected', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const { secret } = await enrol(ann);
    await enrol(bob);
    expect(await verifier.useCode(bob, codeOf(secret))).toBeUndefined();
  });

  it('an app that is not confirmed has no valid codes', async () => {
    const userId = await newUser();
    const [id, secret] = [newId(), generateTotpSecret()];
    const encrypted = cipher.encrypt(secret, placeOfSecret(userId, id));
    await database.transaction((trx) =>
      totp.insert({ id, userId, begunBy: newId(), name: 'Phone', secret: encrypted }, trx),
    );
    expect(await verifier.useCode(userId, codeOf(secret))).toBeUndefined();
  });

  it('a use that is rolled back leaves the code usable', async () => {
    const userId = await newUser();
    const code = codeOf((await enrol(userId)).secret);
    const failing = database.transaction(async (trx) => {
      expect(await verifier.useCode(userId, code, trx)).toBeDefined();
      throw new Error('no session');
    });
    await expect(failing).rejects.toThrow('no session');
    expect(await verifier.useCode(userId, code)).toBeDefined();
  });

  it('a row that was moved to another user cannot be read', async () => {
    const [ann, mallory] = [await newUser(), await newUser()];
    const { id, secret } = await enrol(mallory);
    await database.run((knex) => knex('totp_factors').where({ id }).update({ user_id: ann }));
    await expect(verifier.useCode(ann, codeOf(secret))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('without the key codes are unavailable and recovery codes work', async () => {
    const userId = await newUser();
    const { secret } = await enrol(userId);
    const [code = ''] = await newCodes(userId);
    const other = verifierWith(new ValueCipher([randomBytes(32)]));
    await expect(other.useCode(userId, codeOf(secret))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await other.useRecoveryCode(userId, code)).toMatchObject({ kind: 'recovery_code' });
  });

  it('a wrong code is no outage while the secret of one app can be read', async () => {
    const userId = await newUser();
    await enrol(userId, new ValueCipher([randomBytes(32)]));
    const { secret } = await enrol(userId);
    expect(await verifier.useCode(userId, codeOf(secret, 7))).toBeUndefined();
    expect(await verifier.useCode(userId, codeOf(secret))).toBeDefined();
  });
});

async function newCodes(userId: string): Promise<string[]> {
  const codes = generateRecoveryCodes();
  const digests = codes.flatMap((code) => digestOfRecoveryCode(code) ?? []);
  await database.transaction((trx) => recoveryCodes.replaceAll(userId, digests, trx));
  return codes;
}

describe('a recovery code of a user', () => {
  it('each code is accepted once, and says how many are left', async () => {
    const userId = await newUser();
    const codes = await newCodes(userId);
    for (const [index, code] of codes.entries()) {
      expect(await verifier.useRecoveryCode(userId, code.toUpperCase())).toEqual({
        kind: 'recovery_code',
        codesLeft: codes.length - index - 1,
      });
      expect(await verifier.useRecoveryCode(userId, code)).toBeUndefined();
    }
  });

  it('of 50 simultaneous uses of a recovery code one is accepted', async () => {
    const userId = await newUser();
    const [code = ''] = await newCodes(userId);
    expect(await settled(50, () => verifier.useRecoveryCode(userId, code))).toBe(1);
  });

  it('a new set replaces the one before, and codes of other users are rejected', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const [[old = ''], [bobs = '']] = [await newCodes(ann), await newCodes(bob)];
    await newCodes(ann);
    expect(await verifier.useRecoveryCode(ann, old)).toBeUndefined();
    expect(await verifier.useRecoveryCode(ann, bobs)).toBeUndefined();
    expect(await verifier.useRecoveryCode(bob, bobs)).toBeDefined();
  });
});
