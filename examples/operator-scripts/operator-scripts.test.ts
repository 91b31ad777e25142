import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintTokens } from '../../test/support/minted-token.js';
import { programFile } from '../../test/support/programs.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../../test/support/service.js';
import type { NewTestUser } from '../../test/support/test-users.js';
import { CoreService } from '../core-service/core-service.js';
import { checkout } from './checkout.js';
import { deactivateIdle, idleSince } from './deactivate-idle.js';
import { auditEntries, exportAuditLog } from './export-audit-log.js';
import { ApiError, LatchkeyApi } from './latchkey-api.js';
import type { Script } from './script.js';

const COMPANY = '22222222-2222-4222-8222-222222222222';

let core: CoreService;
let service: TestService;
let latchkey: LatchkeyApi;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: 'core-key', companies: { [COMPANY]: { modules: ['invoices'] } } });
  const env = { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: 'core-key' };
  service = await startTestService({ env });
  latchkey = new LatchkeyApi(service.url, INTERNAL_KEY);
});
afterAll(async () => {
  await service.stop();
  await core.stop();
});

/** The output of a script: results and notes. */
async function run(script: Script, ...args: string[]): Promise<{ out: string[]; notes: string[] }> {
  const out: string[] = [];
  const notes: string[] = [];
  await script(latchkey, args, {
    out: (line) => Promise.resolve(void out.push(line)),
    note: (line) => notes.push(line),
  });
  return { out, notes };
}

describe('checkout', () => {
  it('checkout signs a new customer in and prints their access', async () => {
    const { notes } = await run(checkout);
    expect(notes.slice(-2)).toEqual([
      'may use   invoices (LEGACY)',
      'may do    invoices:read, invoices:write',
    ]);
    const members = await latchkey.page<{ email: string; membership: { role: string } }>(
      `/internal/admin/companies/${COMPANY}/users`,
      {},
    );
    expect(members).toMatchObject({ total: 1, items: [{ membership: { role: 'TENANT_SUPERADMIN' } }] });
  });

  it('checkout fails with the error code of a rejected request', async () => {
    const failure = await run(checkout, '--company', 'no-uuid').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 400, code: 'validation_error' });
  });
});

describe('deactivate-idle', () => {
  /** Creates a user who registered `days` ago and last signed in `lastLogin` days ago, or never. */
  async function cameBefore(days: number, lastLogin?: number, wanted?: NewTestUser): Promise<string> {
    const user = await service.createUser(wanted);
    await service.sql(
      `UPDATE users SET created_at = now() - make_interval(days => $2::int),
         last_login_at = now() - make_interval(days => $3::int) WHERE id = $1`,
      [user.id, days, lastLogin ?? null],
    );
    return user.id;
  }
  const isActive = async (id: string): Promise<unknown> =>
    (await service.machine('GET', `/internal/admin/users/${id}`)).data.isActive;

  it('deactivate-idle lists idle users, and deactivates them only with --yes', async () => {
    const gone = await cameBefore(200, 91);
    const neverCame = await cameBefore(91);
    const left = [
      await cameBefore(200, 89),
      await cameBefore(89),
      await cameBefore(200, 91, { role: 'PLATFORM_ADMIN' }),
    ];
    const hasSession = await cameBefore(200, 91);
    await mintTokens(service, hasSession);
    await service.sql(`UPDATE users SET last_login_at = now() - interval '91 days' WHERE id = $1`, [
      hasSession,
    ]);

    const dryRun = await run(deactivateIdle, '--days', '90');
    expect(dryRun.out.map((line) => line.split(' ')[0]).sort()).toEqual([gone, neverCame].sort());
    expect(dryRun.notes).toEqual(['2 would be deactivated; --yes does it.']);
    expect(await Promise.all([gone, neverCame].map(isActive))).toEqual([true, true]);

    const real = await run(deactivateIdle, '--days', '90', '--yes');
    expect(real.notes).toEqual(['2 deactivated.']);
    expect(await Promise.all([gone, neverCame].map(isActive))).toEqual([false, false]);
    expect(await Promise.all([...left, hasSession].map(isActive))).toEqual([true, true, true, true]);

    expect((await run(deactivateIdle, '--days', '90', '--yes')).notes).toEqual(['0 deactivated.']);
  });

  it('deactivate-idle reads every page of the list', async () => {
    const created = [await cameBefore(800), await cameBefore(800), await cameBefore(800)];
    const limit = new Date(Date.now() - 700 * 24 * 3600 * 1000);
    const found = await idleSince(latchkey, limit, 2);
    expect(found.map(({ id }) => id).sort()).toEqual(created.sort());
  });

  it.each([[[]], [['--days', '0']], [['--days', '1.5']], [['--days', 'many']], [['--weeks', '3']]])(
    'does not run with %j',
    async (args) => {
      await expect(run(deactivateIdle, ...args)).rejects.toThrow(/days|weeks/);
    },
  );
});

describe('export-audit-log', () => {
  const idsOf = (lines: string[]): unknown[] => lines.map((line) => (JSON.parse(line) as { id: string }).id);
  const loggedIds = async (): Promise<unknown[]> =>
    (await service.sql('SELECT id FROM auth_audit_logs ORDER BY occurred_at DESC, id DESC')).map(
      ({ id }) => id,
    );

  it('export-audit-log writes every entry as a line of JSON, newest first', async () => {
    const { out, notes } = await run(exportAuditLog);
    expect(idsOf(out)).toEqual(await loggedIds());
    expect(notes).toEqual([`${out.length} entries.`]);
  });

  it('export-audit-log reads all pages without repeating or losing an entry', async () => {
    const entries = [];
    for await (const entry of auditEntries(latchkey, {}, 3)) entries.push(entry);
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.map(({ id }) => id)).toEqual(await loggedIds());
  });

  it('export-audit-log filters by time and event', async () => {
    const minted = await run(exportAuditLog, '--event', 'session_minted', '--from', '2020-01-01T00:00:00Z');
    expect(minted.out).toHaveLength(2);
    expect((await run(exportAuditLog, '--to', '2020-01-01T00:00:00Z')).out).toEqual([]);
  });
});

describe('the command', () => {
  const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
  const start = (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const options = { cwd: REPOSITORY, env: { PATH: process.env.PATH, ...env } };
      execFile(
        process.execPath,
        [programFile('operator-scripts'), ...args],
        options,
        (error, stdout, stderr) => {
          resolve({ code: error?.code ?? 0, stdout, stderr });
        },
      );
    });

  it('the command exits with 0 and prints results, with 1 on failure, with 2 on invalid arguments', async () => {
    const env = { LATCHKEY_URL: service.url, AUTH_INTERNAL_API_KEY: INTERNAL_KEY };
    const [done, refused, misused] = await Promise.all([
      start(['export-audit-log', '--event', 'session_minted'], env),
      start(['export-audit-log'], { ...env, AUTH_INTERNAL_API_KEY: 'another-key-of-16' }),
      start(['deactivate-idle'], env),
    ]);
    expect([done.code, done.stdout.trim().split('\n').length, done.stderr]).toEqual([0, 2, '2 entries.\n']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('403 forbidden');
    expect(misused.code).toBe(2);
    expect(misused.stderr).toContain('--days: must be an integer of 1 or more');
  });
});
