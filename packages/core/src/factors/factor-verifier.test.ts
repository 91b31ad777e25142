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
import {
  generateRecoveryCodeKey,
  keyedDigest,
  placeOfRecoveryCodes,
} from './kinds/recovery-code/recovery-code-key.js';
import { RecoveryCodeKind } from './kinds/recovery-code/recovery-code-kind.js';
import { RecoveryCodeRepository } from './kinds/recovery-code/recovery-code-repository.js';
import { digestOfRecoveryCode, generateRecoveryCodes } from './kinds/recovery-code/recovery-code.js';
import { generateTotpSecret } from './kinds/totp/totp-codes.js';
import { placeOfSecret } from './kinds/totp/totp-factor.js';
import { TotpKind } from './kinds/totp/totp-kind.js';
import { TotpRepository } from './kinds/totp/totp-repository.js';

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
    factorKinds: [new TotpKind(totp), new RecoveryCodeKind(recoveryCodes)],
    cipher: own,
    guesses: new CodeGuesses({
      database,
      users: new UserRepository(database),
      notices: new SecurityNotices(
        new Outbox({ database, mails: new OutboxRepository(database), worker: undefined }),
        false,
      ),
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
    expect(await verifier.use('totp', userId, typed)).toEqual({ kind: 'totp', factorId: id });
    expect(await verifier.use('totp', userId, code)).toBeUndefined();
  });

  it('of 20 simultaneous uses of a code one is accepted', async () => {
    const userId = await newUser();
    const code = codeOf((await enrol(userId)).secret);
    expect(await settled(20, () => verifier.use('totp', userId, code))).toBe(1);
  });

  it('a code of the step before is accepted first, and not after that of the step itself', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const [{ secret: a }, { secret: b }] = [await enrol(first), await enrol(second)];
    expect(await verifier.use('totp', first, codeOf(a, -1))).toBeDefined();
    expect(await verifier.use('totp', first, codeOf(a, 0))).toBeDefined();
    expect(await verifier.use('totp', second, codeOf(b, 1))).toBeDefined();
    expect(await verifier.use('totp', second, codeOf(b, 0))).toBeUndefined();
  });

  it('a time step is accepted once per user, whichever app shows the code', async () => {
    const userId = await newUser();
    const apps = [await enrol(userId), await enrol(userId)];
    const codes = apps.map(({ secret }) => codeOf(secret, 1));
    const uses = await Promise.all(codes.map((code) => verifier.use('totp', userId, code)));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('a code of another user is rejected', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const { secret } = await enrol(ann);
    await enrol(bob);
    expect(await verifier.use('totp', bob, codeOf(secret))).toBeUndefined();
  });

  it('an app that is not confirmed has no valid codes', async () => {
    const userId = await newUser();
    const [id, secret] = [newId(), generateTotpSecret()];
    const encrypted = cipher.encrypt(secret, placeOfSecret(userId, id));
    await database.transaction((trx) =>
      totp.insert({ id, userId, begunBy: newId(), name: 'Phone', secret: encrypted }, trx),
    );
    expect(await verifier.use('totp', userId, codeOf(secret))).toBeUndefined();
  });

  it('a use that is rolled back leaves the code usable', async () => {
    const userId = await newUser();
    const code = codeOf((await enrol(userId)).secret);
    const failing = database.transaction(async (trx) => {
      expect(await verifier.use('totp', userId, code, trx)).toBeDefined();
      throw new Error('no session');
    });
    await expect(failing).rejects.toThrow('no session');
    expect(await verifier.use('totp', userId, code)).toBeDefined();
  });

  it('a row that was moved to another user cannot be read', async () => {
    const [ann, mallory] = [await newUser(), await newUser()];
    const { id, secret } = await enrol(mallory);
    await database.run((knex) => knex('totp_factors').where({ id }).update({ user_id: ann }));
    await expect(verifier.use('totp', ann, codeOf(secret))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('without the key codes are unavailable', async () => {
    const userId = await newUser();
    const { secret } = await enrol(userId);
    const other = verifierWith(new ValueCipher([randomBytes(32)]));
    await expect(other.use('totp', userId, codeOf(secret))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('a wrong code is no outage while the secret of one app can be read', async () => {
    const userId = await newUser();
    await enrol(userId, new ValueCipher([randomBytes(32)]));
    const { secret } = await enrol(userId);
    expect(await verifier.use('totp', userId, codeOf(secret, 7))).toBeUndefined();
    expect(await verifier.use('totp', userId, codeOf(secret))).toBeDefined();
  });
});

async function newCodes(userId: string): Promise<string[]> {
  const [codes, secret] = [generateRecoveryCodes(), generateRecoveryCodeKey()];
  const key = cipher.encrypt(secret, placeOfRecoveryCodes(userId));
  const digests = digestsOf(codes).map((digest) => keyedDigest(secret, digest));
  await database.transaction((trx) => recoveryCodes.replaceAll(userId, { digests, key }, trx));
  return codes;
}

const digestsOf = (codes: readonly string[]): Buffer[] =>
  codes.flatMap((code) => digestOfRecoveryCode(code) ?? []);

/** Adds codes as the former version stores them: as digests without a key. */
async function oldCodes(userId: string): Promise<string[]> {
  const codes = generateRecoveryCodes();
  const rows = digestsOf(codes).map((code_digest) => ({ id: newId(), user_id: userId, code_digest }));
  await database.run((knex) => knex('recovery_codes').insert(rows));
  return codes;
}

interface CodeRow {
  user_id: string;
  id: string;
  encrypted_key: Buffer;
  key_id: string;
}

const codeRows = (userId: string): Promise<CodeRow[]> =>
  database.run((knex) => knex<CodeRow>('recovery_codes').where({ user_id: userId }).select('*'));

describe('a recovery code of a user', () => {
  it('each code is accepted once, and says how many are left', async () => {
    const userId = await newUser();
    const codes = await newCodes(userId);
    for (const [index, code] of codes.entries()) {
      expect(await verifier.use('recovery_code', userId, code.toUpperCase())).toEqual({
        kind: 'recovery_code',
        codesLeft: codes.length - index - 1,
      });
      expect(await verifier.use('recovery_code', userId, code)).toBeUndefined();
    }
  });

  it('of 50 simultaneous uses of a recovery code one is accepted', async () => {
    const userId = await newUser();
    const [code = ''] = await newCodes(userId);
    expect(await settled(50, () => verifier.use('recovery_code', userId, code))).toBe(1);
  });

  it('a new set replaces the one before, and codes of other users are rejected', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const [[old = ''], [bobs = '']] = [await newCodes(ann), await newCodes(bob)];
    await newCodes(ann);
    expect(await verifier.use('recovery_code', ann, old)).toBeUndefined();
    expect(await verifier.use('recovery_code', ann, bobs)).toBeUndefined();
    expect(await verifier.use('recovery_code', bob, bobs)).toBeDefined();
  });

  it('a code whose key is not configured is unavailable, and neither wrong nor spent', async () => {
    const userId = await newUser();
    const [code = ''] = await newCodes(userId);
    const other = verifierWith(new ValueCipher([randomBytes(32)]));
    await expect(other.use('recovery_code', userId, code)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await verifier.use('recovery_code', userId, code)).toMatchObject({ codesLeft: 9 });
  });

  it('a code under an older key is accepted while that key is configured', async () => {
    const userId = await newUser();
    const [code = ''] = await newCodes(userId);
    const [newer, older] = [randomBytes(32), randomBytes(32)];
    const old = await database.transaction((trx) => recoveryCodes.keysOf(userId, trx));
    const place = placeOfRecoveryCodes(userId);
    const secret = cipher.decrypt(old[0] ?? { keyId: '', bytes: Buffer.alloc(0) }, place);
    const { keyId: key_id, bytes: encrypted_key } = new ValueCipher([older]).encrypt(secret, place);
    await database.run((knex) =>
      knex('recovery_codes').where({ user_id: userId }).update({ key_id, encrypted_key }),
    );
    const both = verifierWith(new ValueCipher([newer, older]));
    expect(await both.use('recovery_code', userId, code)).toMatchObject({ codesLeft: 9 });
  });

  it('a row that was moved to another user is not accepted, with its key or without', async () => {
    const [ann, mallory] = [await newUser(), await newUser()];
    const [[known = ''], [other = '']] = [await newCodes(mallory), await newCodes(ann)];
    const [[stolen], [own]] = [await codeRows(mallory), await codeRows(ann)];
    await database.run((knex) => knex('recovery_codes').where({ user_id: mallory }).delete());
    const row = { ...stolen, user_id: ann };
    await database.run((knex) =>
      knex('recovery_codes').insert({ ...row, encrypted_key: own?.encrypted_key, key_id: own?.key_id }),
    );
    expect(await verifier.use('recovery_code', ann, known)).toBeUndefined();
    await database.run((knex) => knex('recovery_codes').where({ id: stolen?.id }).update(row));
    await expect(verifier.use('recovery_code', ann, known)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await verifier.use('recovery_code', ann, other)).toBeDefined();
  });

  it('a code of an earlier version, stored without a key, is accepted once', async () => {
    const userId = await newUser();
    const [code = '', wrong = ''] = [(await oldCodes(userId))[0], generateRecoveryCodes()[0]];
    expect(await verifier.use('recovery_code', userId, wrong)).toBeUndefined();
    expect(await verifier.use('recovery_code', userId, code)).toMatchObject({ codesLeft: 9 });
    expect(await verifier.use('recovery_code', userId, code)).toBeUndefined();
  });
});
