import { hash } from 'argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { storedFormOf } from '../../packages/core/src/passwords/foreign/stored-form.js';
import { PasswordHasher } from '../../packages/core/src/passwords/password-hasher.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { FOREIGN_HASHES, type ForeignHashVector } from '../support/foreign-hashes.js';
import { overtaken } from '../support/overtaken.js';
import { startTestService, type TestService } from '../support/service.js';
import { stepUp } from '../support/step-up-client.js';
import type { TestUser } from '../support/test-users.js';

const NEW_PASSWORD = 'seven owls over the harbour';
const RENEWED = /^\$argon2id\$v=19\$m=8,t=1,p=1\$/;

let service: TestService;
let hasher: PasswordHasher;
beforeAll(async () => {
  service = await startTestService();
  hasher = await PasswordHasher.start({
    memoryKib: 64,
    iterations: 1,
    parallelism: 1,
    workers: 1,
    observer: unobserved,
  });
});
afterAll(async () => {
  await hasher.close();
  await service.stop();
});

/** One hash of every scheme, of the last library that made one. */
const BY_SCHEME = [...new Map(FOREIGN_HASHES.map((vector) => [vector.scheme, vector])).values()];
const BCRYPT = BY_SCHEME.find(({ scheme }) => scheme === 'bcrypt')!;
const storedOf = ({ hash, input = hash }: ForeignHashVector): string => storedFormOf(input) ?? '';

/** A user whose password is known by a hash of another system. */
async function importedUser(vector: ForeignHashVector, stored = storedOf(vector)): Promise<TestUser> {
  const user = await service.createUser({ password: null });
  await service.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, stored]);
  return { ...user, password: vector.password };
}

const login = ({ email, password }: Pick<TestUser, 'email' | 'password'>) =>
  service.api('POST', '/auth/login', { body: { email, password } });
const storedHashOf = async ({ id }: Pick<TestUser, 'id'>) =>
  String((await service.sql('SELECT password_hash FROM users WHERE id = $1', [id]))[0]?.password_hash);
const renewals = ({ id }: Pick<TestUser, 'id'>) =>
  service.sql(`SELECT 1 FROM auth_audit_logs WHERE event = 'password_rehashed' AND subject_user_id = $1`, [
    id,
  ]);

describe('the first sign-in of an imported user', () => {
  it.each(BY_SCHEME)('a $scheme hash signs in with its password and is replaced, once', async (vector) => {
    const user = await importedUser(vector);
    expect(await login({ ...user, password: `${user.password}?` })).toMatchObject({ status: 401 });
    expect(await storedHashOf(user)).toBe(storedOf(vector));
    expect((await login(user)).status).toBe(200);
    const renewed = await storedHashOf(user);
    expect(renewed).toMatch(RENEWED);
    expect((await login(user)).status).toBe(200);
    expect(await storedHashOf(user)).toBe(renewed);
    expect(await renewals(user)).toHaveLength(1);
  });

  it.each(BY_SCHEME.filter(({ scheme }) => scheme !== 'argon2'))(
    'a wrapped $scheme hash signs in with its password and is replaced',
    async (vector) => {
      const user = await importedUser(vector, await hasher.wrap(storedOf(vector)));
      expect(await login({ ...user, password: `${user.password}?` })).toMatchObject({ status: 401 });
      expect((await login(user)).status).toBe(200);
      expect(await storedHashOf(user)).toMatch(RENEWED);
    },
  );

  it('after the first sign-in a password can be typed in another spelling, which the old system rejected', async () => {
    const decomposed = FOREIGN_HASHES.find(({ password }) => password !== password.normalize('NFKC'))!;
    const user = await importedUser(decomposed);
    const other = { ...user, password: user.password.normalize('NFKC') };
    expect(await login(other)).toMatchObject({ status: 401 });
    expect((await login(user)).status).toBe(200);
    expect((await login(other)).status).toBe(200);
  });

  it('simultaneous first sign-ins all succeed, and one of them replaces the hash', async () => {
    const user = await importedUser(BCRYPT);
    const persist = async (): Promise<number> => {
      const { email, password } = user;
      const { status } = await service.client.send('POST', '/auth/login', { body: { email, password } });
      return status === 503 ? persist() : status;
    };
    expect(await Promise.all(Array.from({ length: 8 }, persist))).toEqual(Array(8).fill(200));
    expect(await renewals(user)).toHaveLength(1);
  });

  it('simultaneous first sign-ins of a user with a second factor return challenges that can all be answered', async () => {
    const user = await importedUser(BCRYPT);
    const { recoveryCodes } = await enrolFactor(service.sql, user.id);
    const answers = await Promise.all(Array.from({ length: 4 }, () => login(user)));
    for (const [index, { data }] of answers.entries()) {
      const { challenge } = (data as unknown as { secondFactor: { challenge: string } }).secondFactor;
      const body = { challenge, recoveryCode: recoveryCodes[index] };
      expect(await service.api('POST', '/auth/login/second-factor', { body })).toMatchObject({ status: 200 });
    }
    expect(await storedHashOf(user)).toMatch(RENEWED);
  });

  it('a malformed imported hash signs no one in, and its text is not logged', async () => {
    const text = '$pbkdf2-sha256$i=99999999$c2VhIHNhbHQgYW5kIG1vcmU$bWFsZm9ybWVkLWFuZC1zZWNyZXQ';
    const user = await importedUser({ ...BCRYPT, password: 'any password at all' }, text);
    expect(await login(user)).toMatchObject({ status: 401 });
    expect(service.log()).toContain('A stored password hash is malformed.');
    expect(service.log()).not.toContain('bWFsZm9ybWVk');
    expect(await storedHashOf(user)).toBe(text);
  });
});

describe('an imported hash of a user who is signed in otherwise', () => {
  /** A user who has signed in, and whose hash is replaced by an imported one since. */
  async function signedInUser(): Promise<TestUser & { token: string }> {
    const user = await service.signedIn();
    await service.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, BCRYPT.hash]);
    return { ...user, password: BCRYPT.password, token: user.accessToken };
  }
  const change = (token: string, currentPassword: string) =>
    service.api('POST', '/auth/password/change', {
      token,
      body: { currentPassword, newPassword: NEW_PASSWORD },
    });

  it('an imported hash confirms a step-up and a change of the password', async () => {
    const { token, ...user } = await signedInUser();
    expect(await stepUp(service, token, { password: 'a wrong password' })).toMatchObject({ status: 401 });
    expect(await stepUp(service, token, { password: user.password })).toMatchObject({ status: 200 });
    expect(await storedHashOf(user)).toBe(BCRYPT.hash);
    expect(await change(token, user.password)).toMatchObject({ status: 200 });
    expect(await storedHashOf(user)).toMatch(RENEWED);
    expect(await login({ ...user, password: NEW_PASSWORD })).toMatchObject({ status: 200 });
  });

  it.each(['step-up', 'change of the password'])(
    'a %s that a first sign-in overtakes is a conflict, and succeeds when it is repeated',
    async (what) => {
      const { token, ...user } = await signedInUser();
      const send = () =>
        what === 'step-up'
          ? stepUp(service, token, { password: user.password })
          : change(token, user.password);
      const renewed = await hash(user.password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
      const replace = `UPDATE users SET password_hash = '${renewed}' WHERE id = $1`;
      const overtakenAnswer = await overtaken(service, { userId: user.id, change: replace }, send);
      expect(overtakenAnswer).toMatchObject({ status: 409 });
      expect(await storedHashOf(user)).toBe(renewed);
      expect(await send()).toMatchObject({ status: 200 });
    },
  );
});
