import { uuidv7 as newId } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AuditEntryView } from '@latchkey/core';
import { actingPair } from '../support/acting.js';
import { runCliHere, startCli, type CliProcess } from '../support/cli-process.js';
import { signedInUser } from '../support/minted-token.js';
import { openConnection } from '../support/open-connection.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { TestCompany } from '../support/test-company.js';
import { waitUntil } from '../support/wait-until.js';

const UNKNOWN_ID = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service);
});

afterAll(() => service.stop());

const list = (...options: string[]): string[] => ['audit', 'list', ...options];

async function overHttp(query: string): Promise<unknown[]> {
  const answer = await service.machine('GET', `/internal/admin/audit-logs?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.items;
}

const objects = (lines: string): AuditEntryView[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEntryView);

describe('latchkey audit list', () => {
  it('the list with each filter equals the reply of the machine route', async () => {
    const place = new TestCompany(service);
    const user = await place.member();
    await place.upsert({ userId: user.id, role: 'CLERK' });
    await service.api('POST', '/auth/login', { body: { email: user.email, password: 'not the password' } });
    await service.api('POST', '/auth/logout-all', { token: user.token });
    const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [user.id]);
    const sessionId = String(session?.id);

    const { staff } = await actingPair(service);
    const cases: [string[], string][] = [
      [['--acted-by', staff.email], `actedByUserId=${staff.id}`],
      [['--user', user.id], `subjectUserId=${user.id}`],
      [['--user', user.email.toUpperCase()], `subjectUserId=${user.id}`],
      [['--actor', user.email], `actorUserId=${user.id}`],
      [
        ['--user', user.id, '--event', 'login', '--outcome', 'failure'],
        `subjectUserId=${user.id}&event=login&outcome=failure`,
      ],
      [['--company', place.id.toUpperCase()], `companyId=${place.id}`],
      [['--session', sessionId], `sessionId=${sessionId}`],
    ];
    for (const [options, query] of cases) {
      const entries = await testClient.json<AuditEntryView[]>(list(...options));
      expect(entries).toEqual(await overHttp(query));
      expect(entries.length, query).toBeGreaterThan(0);
    }
  });

  it('a line names who acts and the user that they act for', async () => {
    const { user, staff, acting } = await actingPair(service);
    await service.api('PATCH', '/auth/me', { token: acting.token, body: { fullName: 'Ada King' } });
    const filter = list('--acted-by', staff.id, '--event', 'profile_updated');
    const { stdout } = await runCliHere(filter, { env: testClient.env, columns: 200 });
    expect(stdout).toContain(`${staff.email} as ${user.email}`);
  });

  it('--since and --until limit the list', async () => {
    const user = await service.createUser();
    await happenedOn(user.id, '2026-01-30T23:59:59Z', '2026-01-31T00:00:00Z', '2026-02-01T12:00:00Z');
    const timesOf = async (...options: string[]) =>
      (await testClient.json<AuditEntryView[]>(list('--user', user.id, ...options))).map(({ occurredAt }) =>
        occurredAt.slice(0, 10),
      );
    expect(await timesOf('--since', '2026-01-31')).toEqual(['2026-02-01', '2026-01-31']);
    expect(await timesOf('--until', '2026-01-31')).toEqual(['2026-01-30']);
    expect(await timesOf('--since', '2026-01-31T01:00:00+01:00', '--until', '2026-02-01')).toEqual([
      '2026-01-31',
    ]);
    expect(await timesOf('--since', '1h')).toEqual([]);
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body: { fullName: 'Ada' } });
    expect(await timesOf('--since', '1h')).toHaveLength(1);
  });

  /** Entries about a user, straight from the database. */
  const happenedOn = (userId: string, ...times: string[]) =>
    service.sql(
      `INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, subject_user_id)
       SELECT gen_random_uuid(), t, 'login', 'success', 'user', $1 FROM unnest($2::timestamptz[]) AS t`,
      [userId, times],
    );

  it('pages by cursor and --all give the same entries', async () => {
    const user = await service.createUser();
    await service.sql(
      `INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, subject_user_id)
       SELECT gen_random_uuid(), now() - n * interval '1 ms', 'login', 'success', 'user', $1
       FROM generate_series(1, 2100) AS n`,
      [user.id],
    );
    const filter = ['--user', user.id];
    const pages: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const from: string[] = cursor === '' ? [] : ['--cursor', cursor];
      const { code, stdout, stderr } = await testClient.run(
        list(...filter, '--limit', '1000', '--quiet', ...from),
      );
      expect(code, stderr).toBe(0);
      pages.push(...stdout.trimEnd().split('\n'));
      const first = await testClient.run(list(...filter, '--limit', '1000', ...from));
      const [, next] = /^latchkey (audit list .*)$/m.exec(first.stderr) ?? [];
      cursor = /--cursor (\S+)$/.exec(next ?? '')?.[1];
      if (cursor !== undefined) {
        expect(next).toBe(`audit list --user ${user.id} --limit 1000 --cursor ${cursor}`);
      }
    }
    expect(new Set(pages).size).toBe(2100);

    const { code, stdout, stderr } = await testClient.run(list(...filter, '--all', '--jsonl'));
    expect([code, stderr]).toEqual([0, '']);
    expect(objects(stdout).map(({ id }) => id)).toEqual(pages);
    const whole = await testClient.json<AuditEntryView[]>(list(...filter, '--all'));
    expect(whole).toEqual(objects(stdout));
  });

  it('programs get a line of fields, and people a line that fits', async () => {
    const admin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const user = await service.createUser({ approval: 'PENDING' });
    const body = { approvalStatus: 'APPROVED', isActive: true };
    await service.api('PATCH', `/internal/users/${user.id}`, { token: admin.token, body });
    await service.api('POST', '/auth/login', { body: { email: user.email, password: 'not the password' } });
    const gone = newId();
    // Only the owner of the table can do this.
    await service.sql(`ALTER TABLE auth_audit_logs DISABLE TRIGGER USER;
      UPDATE auth_audit_logs SET actor_user_id = '${gone}' WHERE subject_user_id = '${user.id}' AND event = 'user_approved';
      ALTER TABLE auth_audit_logs ENABLE TRIGGER USER`);

    const { stdout } = await testClient.run(list('--user', user.id, '--event', 'login'));
    const [id, time, ...fields] = stdout.trimEnd().split('\t');
    const [entry] = (await overHttp(`subjectUserId=${user.id}&event=login`)) as AuditEntryView[];
    expect([id, time]).toEqual([entry?.id, entry?.occurredAt]);
    const details = JSON.stringify(entry?.details);
    expect(fields).toEqual(['login', 'failure', 'anonymous', '', user.id, '', '', '127.0.0.1', details]);

    const shown = await runCliHere(list('--user', user.id), { env: testClient.env, columns: 110 });
    const [day = '', login = '', approval = ''] = shown.stdout.split('\n');
    expect(day).toMatch(/^\d{4}-\d\d-\d\d UTC$/);
    expect(login).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  login +failure  anonymous → ${user.email}  127.0.0.1`),
    );
    expect(approval).toContain(`user_approved         success  ${gone} → `);
    for (const line of [login, approval]) expect(line.length).toBeLessThanOrEqual(110);
    const narrow = await runCliHere(list('--user', user.id), { env: testClient.env, columns: 80 });
    expect(narrow.stdout).toContain(`anonymous → ${user.email.slice(0, 20)}`);
  });

  it.each([
    ['an event that is none', ['--event', 'coffee'], 2, '--event: '],
    ['a company by name', ['--company', 'acme'], 2, '--company: must be a UUID'],
    ['a session that is none', ['--session', 'x'], 2, '--session: must be a UUID'],
    ['no time', ['--since', 'yesterday'], 2, '--since: must be an ISO 8601 instant'],
    ['a day that is none', ['--until', '2026-02-30'], 2, '--until: must be'],
    ['an unknown user', ['--user', 'unknown@example.com'], 3, 'There is no user unknown@example.com.'],
    [
      'a foreign cursor',
      ['--cursor', 'abc'],
      2,
      'cursor: is invalid; use the one that a previous page returned',
    ],
    ['--all with a limit', ['--all', '--limit', '5'], 2, 'cannot be used with'],
    ['two kinds of JSON', ['--json', '--jsonl'], 2, 'cannot be used with'],
  ])('audit list with %s is an error with the reason', async (_what, options, code, sentence) => {
    const result = await testClient.run(list(...options));
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(sentence);
  });

  it('--user accepts the id of a deleted user', async () => {
    expect(await testClient.run(list('--user', UNKNOWN_ID))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await testClient.json(list('--user', UNKNOWN_ID))).toEqual([]);
    expect((await testClient.run(list('--user', UNKNOWN_ID, '--jsonl'))).stdout).toBe('');
  });
});

describe('latchkey audit tail', () => {
  /** Starts it, as the process that it is for operators. */
  function tail(options: string[], databaseUrl = service.databaseUrl): CliProcess {
    const env = { ...testClient.env, DATABASE_URL: databaseUrl };
    const running = startCli(['audit', 'tail', ...options], { env });
    onTestFinished(() => running.signal('SIGKILL'));
    return running;
  }

  /** Has seen so many lines. */
  const lines = (running: CliProcess, count: number): Promise<string[]> =>
    waitUntil(
      () => {
        const found = running.output().split('\n').slice(0, -1);
        return found.length >= count ? found : undefined;
      },
      { what: `${count} lines` },
    );

  const rename = (userId: string, fullName: string) =>
    service.machine('PATCH', `/internal/admin/users/${userId}`, { body: { fullName } });

  const interrupted = async (running: CliProcess): Promise<string> => {
    running.signal('SIGINT');
    const { code, stdout, stderr } = await running.exited;
    expect([code, stderr]).toEqual([130, '']);
    return stdout;
  };

  it('audit tail prints the last entries, then each new one once and in order, and ends on Ctrl-C', async () => {
    const user = await service.createUser();
    for (const name of ['A', 'B', 'C']) await rename(user.id, name);
    const running = tail(['--user', user.email, '--lines', '2', '--json']);
    await lines(running, 2);
    for (const name of ['D', 'E']) await rename(user.id, name);
    await lines(running, 4);
    await rename(user.id, 'F');
    await lines(running, 5);
    const [, ...entries] = (await overHttp(`subjectUserId=${user.id}`)).toReversed();
    expect(objects(await interrupted(running))).toEqual(entries);
  });

  it('audit tail prints an entry that commits late, and only entries that pass the filter', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    const late = await openConnection(service.databaseUrl);
    await late.query('BEGIN');
    const entry = [newId(), user.id];
    await late.query(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id)
       VALUES ($1, 'login', 'success', 'user', $2)`,
      entry,
    );
    const running = tail(['--user', user.id, '--lines', '0', '--quiet']);
    await waitUntil(
      async () => {
        await rename(other.id, 'Other');
        await rename(user.id, 'Renamed');
        return running.output() !== '';
      },
      { what: 'a first entry' },
    );
    await late.query('COMMIT');
    await late.end();
    await waitUntil(() => running.output().includes(String(entry[0])), { what: 'the late entry' });
    const ids = (await interrupted(running)).trimEnd().split('\n');
    const known = (await overHttp(`subjectUserId=${user.id}&limit=1000`)) as AuditEntryView[];
    expect(new Set(ids).size).toBe(ids.length);
    expect(known.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  it('audit tail waits for an unavailable database, reports it once, and loses no entry', async () => {
    const link = await TcpLink.to(service.databaseUrl);
    onTestFinished(() => link.close());
    const user = await service.createUser();
    await rename(user.id, 'A');
    const running = tail(['--user', user.id, '--since', '1h', '--jsonl'], link.by(service.databaseUrl));
    await lines(running, 1);
    link.cut();
    const shows = (text: string) => waitUntil(() => running.output().includes(text), { what: text });
    await shows('The database is unavailable');
    await rename(user.id, 'B');
    link.fix();
    await shows('The database is available again.');
    await rename(user.id, 'C');
    const entries = () => running.output().split('"occurredAt"').length - 1;
    await waitUntil(() => entries() >= 3, { what: 'the third entry' });
    running.signal('SIGINT');
    const { code, stdout, stderr } = await running.exited;
    expect(code).toBe(130);
    expect(stderr.match(/The database is (?:unavailable|available again)/g)).toEqual([
      'The database is unavailable',
      'The database is available again',
    ]);
    expect(objects(stdout)).toEqual((await overHttp(`subjectUserId=${user.id}`)).toReversed());
  });

  it('audit tail fails at once if its first query fails', async () => {
    expect(await testClient.run(['audit', 'tail', '--event', 'coffee'])).toMatchObject({
      code: 2,
      stdout: '',
    });
    const away = new OperatorClient(service, { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(await away.run(['audit', 'tail'])).toMatchObject({ code: 4, stdout: '' });
  });
});
