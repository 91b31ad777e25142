import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../packages/core/src/kernel/secret.js';
import { challengeOf, answerChallenge, enrolledUser, type Enrolled } from '../support/authenticator-app.js';
import { runCliHere } from '../support/cli-process.js';
import { FACTOR_KEY, serviceForThisTest, type TestService } from '../support/service.js';

const NEW_KEY = Buffer.alloc(32, 8).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');

const envOf = ({ databaseUrl }: TestService, keys = FACTOR_KEY) => ({
  APP_ENV: 'test',
  DATABASE_URL: databaseUrl,
  LATCHKEY_OPERATOR: 'alice',
  FACTOR_ENCRYPTION_KEYS: keys,
});

/** Another replica over the database of the first, with these keys. */
const replica = ({ databaseUrl }: TestService, keys: string) =>
  serviceForThisTest({ databaseUrl, env: { FACTOR_ENCRYPTION_KEYS: keys } });

async function signsIn(service: TestService, user: Enrolled): Promise<number> {
  const { challenge } = await challengeOf(service, user);
  return (await answerChallenge(service, { challenge, code: user.app.next() })).status;
}

async function signsInByRecoveryCode(service: TestService, user: Enrolled): Promise<number> {
  const { challenge } = await challengeOf(service, user);
  const recoveryCode = user.recoveryCodes.pop() ?? '';
  return (await answerChallenge(service, { challenge, recoveryCode })).status;
}

describe('latchkey keys reencrypt', () => {
  it('replaces the key of all secrets while sign-ins go on, and says when an older one is missing', async () => {
    const service = await serviceForThisTest();
    const users: Enrolled[] = [];
    for (let n = 0; n < 6; n += 1) users.push(await enrolledUser(service));
    const both = `${NEW_KEY},${FACTOR_KEY}`;
    const during = await replica(service, both);

    const missing = await runCliHere(['keys', 'reencrypt'], { env: envOf(service, OTHER_KEY) });
    expect(missing.code).toBe(1);
    // An app and a set of recovery codes each.
    expect(missing.stderr).toContain('The key of 12 secrets is missing.');

    const [run, ...statuses] = await Promise.all([
      runCliHere(['keys', 'reencrypt', '--json'], { env: envOf(service, both) }),
      ...users.map((user) => signsIn(during, user)),
    ]);
    expect(statuses).toEqual(Array(6).fill(200));
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ reencrypted: 12, unreadable: 0 });

    const after = await replica(service, NEW_KEY);
    for (const user of users) {
      expect(await signsIn(after, user)).toBe(200);
      expect(await signsInByRecoveryCode(after, user)).toBe(200);
    }
    const again = await runCliHere(['keys', 'reencrypt', '--json'], { env: envOf(service, NEW_KEY) });
    expect(JSON.parse(again.stdout)).toMatchObject({ reencrypted: 0, unreadable: 0 });
  });

  it('gives a key to recovery codes of an earlier version, which go on working', async () => {
    const service = await serviceForThisTest();
    const user = await enrolledUser(service);
    const digests = user.recoveryCodes.map((code) => digestOf(code.replaceAll('-', '')));
    await service.sql('DELETE FROM recovery_codes');
    await service.sql(
      `INSERT INTO recovery_codes (id, user_id, code_digest)
       SELECT gen_random_uuid(), $1, digest FROM unnest($2::bytea[]) AS digest`,
      [user.id, digests],
    );
    const doctor = await runCliHere(['doctor', '--json'], { env: envOf(service) });
    expect(doctor.stdout).toContain('1 of 2 are recovery codes of an earlier version');
    const run = await runCliHere(['keys', 'reencrypt', '--json'], { env: envOf(service) });
    expect(JSON.parse(run.stdout)).toMatchObject({ reencrypted: 1, unreadable: 0 });
    const kept = await service.sql('SELECT 1 FROM recovery_codes WHERE code_digest = ANY($1)', [digests]);
    expect(kept).toEqual([]);
    expect(await signsInByRecoveryCode(service, user)).toBe(200);
  });

  it('reads the keys from a file, and says that there is none', async () => {
    const service = await serviceForThisTest();
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-factors-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'keys');
    await writeFile(file, `${FACTOR_KEY}\n`);
    const { FACTOR_ENCRYPTION_KEYS: _keys, ...env } = envOf(service);
    const run = await runCliHere(['keys', 'reencrypt', '--json'], {
      env: { ...env, FACTOR_ENCRYPTION_KEYS_FILE: file },
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ reencrypted: 0 });
    const none = await runCliHere(['keys', 'reencrypt'], { env: { ...env, DATA_DIR: folder } });
    expect(none.stderr).toContain('There is no key');
  });
});

describe('latchkey users reset-factors', () => {
  it('removes the factors of a user, ends their sessions and keeps the reason', async () => {
    const service = await serviceForThisTest();
    const user = await enrolledUser(service);
    const args = ['users', 'reset-factors', user.email, '--reason', 'lost phone', '--yes'];
    const { code, stdout, stderr } = await runCliHere(args, { env: envOf(service) });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('1 authenticator app, 10 recovery codes, 0 passkeys. Ended 1 session.');
    expect(await service.signIn(user)).toHaveProperty('accessToken');
    const rows = await service.sql(
      `SELECT actor, details FROM auth_audit_logs WHERE event = 'factors_reset' AND subject_user_id = $1`,
      [user.id],
    );
    expect(rows).toMatchObject([{ actor: 'cli:alice', details: { statedReason: 'lost phone' } }]);
  });
});
