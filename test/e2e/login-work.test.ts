import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HashingJob } from '../../packages/core/src/passwords/hashing-protocol.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { PASSWORD } from '../support/test-users.js';

const OLD = '$argon2id$v=19$m=8192,t=1,p=1';
const CONFIGURED = '$argon2id$v=19$m=19456,t=2,p=1';
const END = `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Records the stored hashes that threads verify from now on. */
function watchThreads(): () => string[] {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  return () =>
    post.mock.calls.flatMap(([message]) => {
      const job = message as HashingJob;
      return job.kind === 'verify' ? [job.storedHash] : [];
    });
}

const prefixOf = (storedHash: string): string => storedHash.split('$').slice(0, 4).join('$');

const signIn = (service: TestService, email: string, password = 'a wrong password') =>
  service.api('POST', '/auth/login', { body: { email, password } });

/** A service whose database has these hashes when it starts, one user each. */
async function serviceOver(prefixes: readonly string[]): Promise<TestService> {
  const database = await createTestDatabase();
  const first = await startTestService({ databaseUrl: database.url, realPasswordCost: true });
  for (const prefix of prefixes) {
    const { id } = await first.createUser();
    await first.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [id, prefix + END]);
  }
  await first.stop();
  return serviceForThisTest({ databaseUrl: database.url, realPasswordCost: true });
}

describe('the work of a sign-in', () => {
  it(
    'a sign-in verifies one hash, whether or not there is an account, a password or any such password',
    { timeout: 60_000 },
    async () => {
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
        expect(verified().map(prefixOf), `${email} ${password.slice(0, 8)}`).toEqual([CONFIGURED]);
        vi.restoreAllMocks();
      }
    },
  );

  it(
    'the work for an unknown email is that of a stored hash, always the same for one email',
    { timeout: 60_000 },
    async () => {
      const service = await serviceOver([OLD, OLD, CONFIGURED, CONFIGURED]);
      const emails = Array.from({ length: 12 }, (_, index) => `no-user-${index}@example.com`);
      const verified = watchThreads();
      for (const email of [...emails, ...emails])
        expect(await signIn(service, email)).toMatchObject({ status: 401 });
      const costs = verified().map(prefixOf);
      expect(costs).toHaveLength(24);
      expect(costs.slice(12)).toEqual(costs.slice(0, 12));
      expect(new Set(costs)).toEqual(new Set([OLD, CONFIGURED]));
    },
  );

  it('the work for an account without a password is that of a stored hash', async () => {
    const service = await serviceOver([OLD]);
    const { email } = await service.createUser({ password: null });
    const verified = watchThreads();
    await signIn(service, email);
    expect(verified().map(prefixOf)).toEqual([OLD]);
  });

  it('no sign-in is refused because the stored hashes cannot be read', async () => {
    const service = await serviceOver(['$argon2id$v=19$m=4294967295,t=9,p=1', '$2b$12$x,t=1,p=1']);
    const verified = watchThreads();
    expect(await signIn(service, 'no-user@example.com')).toMatchObject({ status: 401 });
    expect(verified().map(prefixOf)).toEqual([CONFIGURED]);
  });
});
