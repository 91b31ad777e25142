import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Decoys } from '../../packages/core/src/passwords/decoys.js';
import type { HashingJob } from '../../packages/core/src/passwords/hashing-protocol.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { PASSWORD } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const OLD = '$argon2id$v=19$m=8192,t=1,p=1';
const CONFIGURED = '$argon2id$v=19$m=19456,t=2,p=1';
const END = `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Records the prefixes of the stored hashes that threads verify from now on. */
function watchThreads(): () => string[] {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  return () =>
    post.mock.calls.flatMap(([message]) => {
      const job = message as HashingJob;
      return job.kind === 'verify' ? [job.storedHash.prefix] : [];
    });
}

const signIn = (service: TestService, email: string, password = 'a wrong password') =>
  service.api('POST', '/auth/login', { body: { email, password } });

/** A service whose database has Argon2 hashes with these prefixes when it starts, one user each. */
const serviceOver = (prefixes: readonly string[]): Promise<TestService> =>
  serviceOverHashes(prefixes.map((prefix) => prefix + END));

/** A service whose database has these hashes when it starts, one user each. */
async function serviceOverHashes(hashes: readonly string[]): Promise<TestService> {
  const database = await createTestDatabase();
  const first = await startTestService({ databaseUrl: database.url, realPasswordCost: true });
  for (const hash of hashes) {
    const { id } = await first.createUser();
    await first.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [id, hash]);
  }
  await first.stop();
  const replaced = vi.spyOn(Decoys.prototype, 'replace');
  const service = await serviceForThisTest({ databaseUrl: database.url, realPasswordCost: true });
  await waitUntil(() => replaced.mock.calls.length > 0, { what: 'the first sample of stored hashes' });
  replaced.mockRestore();
  return service;
}

describe('the work of a sign-in', () => {
  it('a sign-in verifies one hash, whether or not there is an account, a password or any such password', async () => {
    const service = await serviceForThisTest({ realPasswordCost: true });
    const [known, without] = [await service.createUser(), await service.createUser({ password: null })];
    for (const [email, password] of [
      [known.email, PASSWORD],
      [known.email, 'a wrong password'],
      [known.email, 'e\u0301\u0323'.repeat(1000)],
      [without.email, PASSWORD],
      ['no-user@example.com', PASSWORD],
      ['no-user@example.com', 'e\u0301\u0323'.repeat(1000)],
    ] as const) {
      const verified = watchThreads();
      await signIn(service, email, password);
      expect(verified(), `${email} ${password.slice(0, 8)}`).toEqual([CONFIGURED]);
      vi.restoreAllMocks();
    }
  });

  it('the work for an unknown email is that of a stored hash, always the same for one email', async () => {
    const service = await serviceOver([OLD, OLD, CONFIGURED, CONFIGURED]);
    const emails = Array.from({ length: 12 }, (_, index) => `no-user-${index}@example.com`);
    const verified = watchThreads();
    for (const email of [...emails, ...emails])
      expect(await signIn(service, email)).toMatchObject({ status: 401 });
    const costs = verified();
    expect(costs).toHaveLength(24);
    expect(costs.slice(12)).toEqual(costs.slice(0, 12));
    expect(new Set(costs)).toEqual(new Set([OLD, CONFIGURED]));
  });

  it('the work for an account without a password is that of a stored hash', async () => {
    const service = await serviceOver([OLD]);
    const { email } = await service.createUser({ password: null });
    const verified = watchThreads();
    await signIn(service, email);
    expect(verified()).toEqual([OLD]);
  });

  it('the work for an unknown email is also that of hashes of other systems, wrapped or not', async () => {
    const bcrypt = `$2b$04$${'A'.repeat(53)}`;
    const wrapped = `$wrapped$l=20$argon2id$v=19$m=8192,t=1,p=1$pbkdf2-sha1$i=1000$AAAA${END}`;
    const firebase = `$firebase-scrypt$m=4,r=8$AAAA$${'A'.repeat(43)}`;
    const service = await serviceOverHashes([bcrypt, wrapped, firebase]);
    const verified = watchThreads();
    for (let index = 0; index < 20; index += 1) {
      expect(await signIn(service, `no-user-${index}@example.com`, 'e\u0301')).toMatchObject({ status: 401 });
    }
    expect(verified()).toHaveLength(20);
    expect(new Set(verified())).toEqual(
      new Set(['$2b$04', wrapped.slice(0, wrapped.indexOf('$AAAA')), '$firebase-scrypt$m=4,r=8']),
    );
  });

  it('no sign-in is refused because the stored hashes cannot be read', async () => {
    const service = await serviceOver(['$argon2id$v=19$m=4294967295,t=9,p=1', '$2b$31$x,t=1,p=1']);
    const verified = watchThreads();
    expect(await signIn(service, 'no-user@example.com')).toMatchObject({ status: 401 });
    expect(verified()).toEqual([CONFIGURED]);
  });
});
