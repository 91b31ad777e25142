import { userInfo } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CleanupPlan, CleanupResult } from '@latchkey/operations';
import { describeOnTerminal, runCliHere, runCliOnTerminal, type CliResult } from '../support/cli-process.js';
import { databaseContent } from '../support/database-content.js';
import { PastRows } from '../support/past-rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { truncate } from '../support/truncate.js';
import { waitUntil } from '../support/wait-until.js';

const DAY = 86_400;

let service: TestService;
let past: PastRows;
let env: Record<string, string>;

beforeAll(async () => {
  // Its dispatcher would write between two looks at the database.
  service = await startTestService({ env: { WEBHOOKS: 'off' } });
  past = new PastRows(service.sql, (await service.createUser()).id);
  env = { DATABASE_URL: service.databaseUrl };
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.sql(
    truncate('sessions', 'password_reset_tokens', 'invitations', 'mail_outbox', 'auth_audit_logs'),
  );
});

const latchkey = (...args: string[]): Promise<CliResult> => runCliHere(['cleanup', ...args], { env });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await latchkey(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

/** Three sessions and two mails that are past their use, and two audit rows that are so when asked. */
async function litter(): Promise<void> {
  for (const days of [40, 50, 60]) await past.session({ expired: days * DAY });
  for (const days of [35, 45]) await past.mail({ status: 'SENT', created: days * DAY });
  for (const days of [300, 500]) await past.audit({ occurred: days * DAY });
}

const countOf = async (table: string): Promise<number> => {
  const [row] = await service.sql(`SELECT count(*)::int AS count FROM ${table}`);
  return Number(row?.count);
};

describe('latchkey cleanup without --run', () => {
  it('the preview shows the rows to delete and the command, and changes nothing', async () => {
    await litter();
    const before = await databaseContent(service.sql);
    const { code, stdout, stderr } = await latchkey('--sessions-after', '45d', '--only', 'sessions,mail');
    expect(code).toBe(0);
    const [sessions, mail, ...others] = stdout.trimEnd().split('\n');
    expect(sessions).toMatch(/^sessions\t2\t\d{4}-\S+Z\t\d{4}-\S+Z\t\d{3,}\t\d{4}-\S+Z$/);
    expect(mail).toMatch(/^mail\t2\t/);
    expect(others).toEqual([]);
    expect(stderr).toBe(
      'Nothing was deleted. To delete these rows: latchkey cleanup --run --sessions-after 45d --only sessions,mail\n',
    );
    expect(await databaseContent(service.sql)).toEqual(before);
  });

  it('the preview prints the whole plan as JSON, and only the number of rows with --quiet', async () => {
    await litter();
    const plans = await json<CleanupPlan[]>('--audit-after', '400d');
    expect(plans.map(({ kind, keep, count }) => [kind, keep / DAY, count])).toEqual([
      ['sessions', 30, 3],
      ['resets', 7, 0],
      ['invitations', 400, 0],
      ['api-keys', 90, 0],
      ['mail', 30, 2],
      ['webhooks', 7, 0],
      ['revocations', 25 / 24, 0],
      ['roles', 400, 0],
      ['audit', 400, 1],
    ]);
    expect(await latchkey('--quiet')).toEqual({ code: 0, stdout: '5\n', stderr: '' });
  });

  it('the preview reports that there is nothing to delete', async () => {
    const { code, stderr } = await latchkey();
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing to delete.\n' });
  });
});

describe('latchkey cleanup --run', () => {
  it('--run deletes the previewed rows in the name of the operator, and audit rows only on request', async () => {
    await litter();
    expect(await latchkey('--run', '--yes')).toEqual({
      code: 0,
      stdout: 'Deleted 5 rows: sessions 3, mail 2.\n',
      stderr: '',
    });
    const audit = await service.sql(
      `SELECT actor, user_agent, details->'removed' AS removed FROM auth_audit_logs WHERE event = 'cleanup'`,
    );
    expect(audit).toEqual([
      {
        actor: `cli:${userInfo().username}`,
        user_agent: expect.stringMatching(/^latchkey-cli\//) as string,
        removed: { sessions: 3, mail: 2 },
      },
    ]);
    const result = await json<CleanupResult>('--run', '--yes', '--audit-after', '400d', '--only', 'audit');
    expect(result).toEqual({ removed: { audit: 1 }, isComplete: true });
    expect(await latchkey('--run', '--yes')).toMatchObject({ code: 0, stdout: 'Nothing was deleted.\n' });
    expect(await latchkey('--run', '--yes', '--quiet')).toMatchObject({ stdout: '0\n' });
  });

  it('--run needs --yes without a terminal', async () => {
    await litter();
    const before = await databaseContent(service.sql);
    const { code, stdout, stderr } = await latchkey('--run');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--yes');
    expect(await databaseContent(service.sql)).toEqual(before);
  });

  it.each([
    [
      ['--sessions-after', '10d'],
      'sessions: 10d is too short. Keep rows for at least 30d (SESSION_MAX_LIFETIME).',
    ],
    [['--audit-after', '400'], 'It must be a number with its unit, such as 12h or 30d.'],
    [
      ['--only', 'users'],
      'It must be some of sessions,resets,invitations,api-keys,mail,webhooks,revocations,roles,audit.',
    ],
    [
      ['--only', 'audit'],
      'audit: rows are kept indefinitely. Give a time to keep them, and older ones are removed.',
    ],
    [['--only', 'mail', '--audit-after', '400d'], '--only omits audit, but --audit-after is given.'],
    [['--batch-size', '0'], 'It must be a whole number from 1 to 20000.'],
  ])('%j is rejected before any row is deleted', async (args, sentence) => {
    await litter();
    const { code, stderr } = await latchkey('--run', '--yes', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(await countOf('sessions')).toBe(3);
  });

  it('--run rejects times that are too short for the settings', async () => {
    const own = { ...env, SESSION_MAX_LIFETIME: '60d' };
    const { code, stderr } = await runCliHere(['cleanup', '--sessions-after', '59d'], { env: own });
    expect(code).toBe(2);
    expect(stderr).toContain('Keep rows for at least 60d (SESSION_MAX_LIFETIME)');
  });
});

it('cleanup reports the rows that were deleted before a failure', async () => {
  for (let days = 40; days < 70; days++) await past.session({ expired: days * DAY });
  const running = latchkey('--run', '--yes', '--batch-size', '1', '--pause', '100');
  await waitUntil(async () => (await countOf('sessions')) < 28, { what: 'the first batches' });
  await service.sql('ALTER TABLE sessions RENAME TO sessions_away');
  const { code, stdout, stderr } = await running;
  await service.sql('ALTER TABLE sessions_away RENAME TO sessions');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const [, removed] = /^(\d+) rows had been deleted before the error\.$/m.exec(stderr) ?? [];
  expect(30 - (await countOf('sessions'))).toBe(Number(removed));
});

describeOnTerminal('latchkey cleanup on a terminal', () => {
  it('cleanup shows a table and asks, and does nothing without confirmation', async () => {
    await litter();
    const react = (shown: string) => (shown.includes('(y/N)') ? 'n\r' : undefined);
    const { code, stdout } = await runCliOnTerminal(['cleanup', '--run'], react, {
      env: { ...env, NO_COLOR: '1' },
    });
    expect(stdout).toMatch(/KIND +ROWS +ENDED/);
    expect(stdout).toMatch(/sessions +3 +over 30d ago +2 months ago +40 days ago +about \d{3} bytes/);
    expect(stdout).toContain('Delete 5 rows permanently?');
    expect(code).toBe(1);
    expect(await countOf('sessions')).toBe(3);
  });

  it('cleanup stops after the current batch at Ctrl-C, and reports the deleted rows', async () => {
    await service.sql(
      `INSERT INTO mail_outbox (id, kind, recipient, status, created_at, sent_at)
       SELECT gen_random_uuid(), 'password_changed', 'ada@example.com', 'SENT', now() - interval '90 days', now() - interval '90 days'
       FROM generate_series(1, 400)`,
    );
    const react = (shown: string) => (/Deleting.*\(\d+ of 400\)/.test(shown) ? '\u0003' : undefined);
    const args = ['cleanup', '--run', '--yes', '--batch-size', '1', '--pause', '50'];
    const { code, stdout } = await runCliOnTerminal(args, react, { env });
    const [, removed] = /Deleted (\d+) rows?: mail \d+\./.exec(stdout) ?? [];
    expect(stdout).toContain('Interrupted. Run the command again to continue.');
    expect(code).toBe(130);
    expect(Number(removed)).toBeGreaterThan(0);
    expect(await waitUntil(() => countOf('mail_outbox'), { what: 'a count' })).toBe(400 - Number(removed));
    const [audited] = await service.sql(
      `SELECT sum((details->'removed'->>'mail')::int)::int AS mails FROM auth_audit_logs WHERE event = 'cleanup'`,
    );
    expect(audited?.mails).toBe(Number(removed));
  });
});
