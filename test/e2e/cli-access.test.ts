import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExplainedAccessView, MemberView } from '@latchkey/core';
import type { PolicyPreviewView } from '@latchkey/operations';
import type { Company } from '../../examples/core-service/company.js';
import { CoreService } from '../../examples/core-service/core-service.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { runCliHere } from '../support/cli-process.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import type { NewTestUser, TestUser } from '../support/test-users.js';

const CORE_KEY = 'key-of-the-core-service';
const UNKNOWN_ID = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';

let core: CoreService;
let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  const coreSettings = { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY };
  service = await startTestService({ env: coreSettings });
  testClient = new OperatorClient(service, coreSettings);
});

afterEach(() => {
  core.fault = undefined;
});

afterAll(async () => {
  await service.stop();
  await core.stop();
});

/** A company of which the core service knows this. */
function company(entitlements: Company): TestCompany {
  const place = new TestCompany(service);
  core.set(place.id, entitlements);
  return place;
}

async function member(place: TestCompany, fields: object = {}, wanted?: NewTestUser): Promise<TestUser> {
  const user = await service.createUser(wanted);
  await place.upsert({ userId: user.id, ...fields });
  return user;
}

const GRANT = (moduleKey: string) => ({ moduleKey, effect: 'GRANT', source: 'MEMBER' });
const DENY = (moduleKey: string) => ({ moduleKey, effect: 'DENY', source: 'MEMBER' });
const byTeam = (rule: object, teamId = randomUUID()) => ({ ...rule, source: 'TEAM', teamId });

/** The text without the breaks of lines: people read words. */
const inWords = (text: string): string => text.replace(/\s+/g, ' ');

/** Exactly what is printed for a person, without the colours. */
async function shown(args: string[], columns = 100): Promise<string> {
  const { code, stdout, stderr } = await runCliHere(args, { env: testClient.env, columns });
  expect(code, stderr).toBe(0);
  return stdout;
}

/** The tab-separated lines. */
async function lines(args: string[]): Promise<string[][]> {
  const { code, stdout, stderr } = await testClient.run(args);
  expect(code, stderr).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

describe('latchkey companies members', () => {
  it('the list of members equals the reply of the machine route', async () => {
    const place = company({ modules: [] });
    const user = await member(place, {
      role: 'CLERK',
      moduleGrants: ['b', 'a'],
      permissionGrants: ['read'],
      delegation: { canManageUsers: true, grantableModules: ['a'] },
      approvalLimit: '500.00',
    });
    await place.machine('POST', `/business-units/${place.unit}/memberships`, { userId: user.id });
    const gone = await member(place, { isActive: false });
    const barred = await member(place, {}, { active: false });

    const listed = await place.machine('GET', '/memberships');
    expect(await testClient.json(['companies', 'members', place.id.toUpperCase()])).toEqual(listed.items);
    const [first, second, third] = await lines(['companies', 'members', place.id]);
    expect(first?.slice(0, 4)).toEqual([barred.id, barred.email, 'MEMBER', 'user inactive']);
    expect(second?.slice(0, 4)).toEqual([gone.id, gone.email, 'MEMBER', 'inactive']);
    expect(third).toEqual([
      user.id,
      user.email,
      'CLERK',
      'active',
      'a b',
      'read',
      'users modules:1',
      '1',
      '',
      '500.00',
      'false',
    ]);
  });

  it('--module lists the members who hold the module now, on every page', async () => {
    const place = company({ modules: ['a', 'b'], accessPolicyMode: 'LEGACY' });
    const holder = await member(place, { moduleGrants: ['a'] });
    for (let other = 0; other < 3; other++) await member(place, { moduleGrants: ['b'] });
    const all = await member(place);
    await member(place, { isActive: false });
    await member(place, {}, { approval: 'PENDING' });

    const args = ['companies', 'members', place.id, '--module', 'a'];
    const found = await testClient.json<MemberView[]>(args);
    expect(found.map(({ userId }) => userId)).toEqual([all.id, holder.id]);
    const { stdout, stderr } = await testClient.run([...args, '--limit', '1', '--offset', '1', '--quiet']);
    expect([stdout, stderr]).toEqual([`${holder.id}\n`, '']);
    expect((await testClient.run([...args, '--limit', '1'])).stderr).toBe(
      '1 of 2 members; --limit and --offset show the others.\n',
    );
  });

  it('the list of members fits the terminal', async () => {
    const place = company({ modules: [] });
    const modules = ['accounting', 'invoices', 'payroll', 'reports', 'time-sheets'];
    await member(place, { moduleGrants: modules, delegation: { canManageUsers: true } });
    for (const columns of [80, 120]) {
      const table = (await shown(['companies', 'members', place.id], columns)).trimEnd().split('\n');
      expect(table[0]).toMatch(/^EMAIL +ROLE +STATUS +MODULES/);
      for (const line of table) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it.each([
    ['no company', ['companies', 'members'], 2, '<company> is missing.'],
    ['a name', ['companies', 'members', 'acme'], 2, '"acme" is not a company id. Give its UUID.'],
    [
      'a bad module',
      ['companies', 'members', UNKNOWN_ID, '--module', 'a b'],
      2,
      '"a b" is not a module key.',
    ],
    [
      'an unknown company',
      ['companies', 'members', UNKNOWN_ID, '--module', 'a'],
      1,
      'The company is not known.',
    ],
  ])('companies members with %s exits with its own code', async (_what, args, code, sentence) => {
    const result = await testClient.run(args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(`error: ${sentence}`);
  });
});

describe('latchkey access explain', () => {
  const explain = (user: Pick<TestUser, 'email'>, place: TestCompany) => [
    'access',
    'explain',
    user.email,
    '--company',
    place.id,
  ];

  /** Key, verdict and words of the modules. */
  const modulesOf = async (user: TestUser, place: TestCompany): Promise<string[]> =>
    (await lines(explain(user, place)))
      .filter(([kind]) => kind === 'module')
      .map(([, key, verdict, , why]) => `${key} ${verdict}: ${why}`);

  it.each(['LEGACY', 'SHADOW', 'ENFORCED'] as const)(
    'the explanation under %s equals the reply of the machine route',
    async (accessPolicyMode) => {
      const place = company({ modules: ['a', 'b', 'c'], accessPolicyMode, permissions: ['read', 'write'] });
      const clerk = await member(place, {
        moduleGrants: ['a', 'old'],
        permissionGrants: ['read', 'erase'],
        moduleRules: [GRANT('a'), byTeam(GRANT('b')), byTeam(DENY('a')), GRANT('gone')],
      });
      const admin = await member(place, { role: 'ADMIN', moduleRules: [DENY('c'), GRANT('stale')] });
      const outsider = await service.createUser({ role: 'PLATFORM_ADMIN' });
      for (const user of [clerk, admin, outsider]) {
        const { data } = await service.machine(
          'GET',
          `/internal/admin/users/${user.id}/access?explain=true`,
          {
            headers: { 'x-org': place.id },
          },
        );
        const own = await testClient.json<ExplainedAccessView>(explain(user, place));
        const resolvedAt = expect.any(String) as string;
        expect(own).toEqual({ ...data, metadata: { ...(data.metadata as object), resolvedAt } });
        const held = await testClient.run([...explain(user, place), '--quiet']);
        expect(held.stdout.split('\n').filter((line) => line !== '')).toEqual(data.modules);
      }
    },
  );

  it('the explanation under LEGACY names the grant list, and the rules without effect', async () => {
    const place = company({ modules: ['a', 'b'], accessPolicyMode: 'LEGACY' });
    const team = randomUUID();
    const user = await member(place, {
      moduleGrants: ['a', 'old'],
      moduleRules: [byTeam(DENY('a'), team), byTeam(GRANT('b'), team)],
    });
    expect(await modulesOf(user, place)).toEqual([
      `a yes: the company is entitled; the grant list names it; DENY of team ${team} has no effect under LEGACY`,
      `b no: the company is entitled; the grant list names only 2 others; GRANT of team ${team} has no effect under LEGACY`,
      'old no: the company is not entitled; the grant list names it, which has no effect; ' +
        'GRANT of the member has no effect',
    ]);
    const free = await member(place);
    expect(await modulesOf(free, place)).toContain(
      'a yes: the company is entitled; the grant list is empty, so every module is allowed',
    );
  });

  it('the explanation under ENFORCED names the rules and their sources', async () => {
    const place = company({ modules: ['a', 'b', 'c', 'd'], accessPolicyMode: 'ENFORCED' });
    const team = randomUUID();
    const user = await member(place, { moduleGrants: ['d'] });
    const moduleRules = [GRANT('a'), byTeam(GRANT('a'), team), GRANT('b'), byTeam(DENY('b'), team)];
    await place.upsert({ userId: user.id, moduleRules });
    expect(await modulesOf(user, place)).toEqual([
      `a yes: the company is entitled; GRANT of the member and GRANT of team ${team}`,
      `b no: the company is entitled; DENY of team ${team}; GRANT of the member has no effect against a DENY`,
      'c no: the company is entitled; no rule grants it',
      'd no: the company is entitled; no rule grants it; the grant list names it, which has no effect under ENFORCED',
    ]);
    const admin = await member(place, { role: 'ADMIN', moduleRules: [DENY('c')] });
    expect(await modulesOf(admin, place)).toContain(
      'c yes: the company is entitled; role ADMIN holds every entitled module; ' +
        'DENY of the member has no effect for administrators',
    );
    const outsider = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    expect(await modulesOf(outsider, place)).toContain(
      'a yes: the company is entitled; PLATFORM_SUPERADMIN holds every entitled module',
    );
  });

  it('the explanation under SHADOW contains the verdict of ENFORCED', async () => {
    const place = company({ modules: ['a', 'b'], accessPolicyMode: 'SHADOW' });
    const user = await member(place, { moduleRules: [byTeam(GRANT('a')), DENY('b')] });
    const [a = '', b = ''] = await modulesOf(user, place);
    expect(a).toMatch(/; ENFORCED would say yes: GRANT of team [0-9a-f-]{36}$/);
    expect(b).toMatch(/every module is allowed; ENFORCED would say no: DENY of the member$/);
  });

  it('the explanation has a reason for each permission and delegation', async () => {
    const place = company({ modules: ['a', 'b'], permissions: ['read', 'write'] });
    const user = await member(place, {
      permissionGrants: ['read', 'erase'],
      delegation: { canManageUsers: true, grantableModules: ['a'], grantablePermissions: ['erase'] },
    });
    const others = (await lines(explain(user, place))).filter(([kind]) => kind !== 'module');
    expect(others.map((fields) => fields.slice(0, 4).join(' '))).toEqual([
      'permission erase no not_entitled',
      'permission read yes granted',
      'permission write no not_granted',
      'delegation canManageUsers yes granted',
      'delegation canBuyAddons no not_granted',
      'grantable module a yes granted',
      'grantable module b no not_granted',
      'grantable permission erase no not_entitled',
      'grantable permission read no not_granted',
      'grantable permission write no not_granted',
    ]);
    const chief = await member(place, { role: 'TENANT_SUPERADMIN' });
    const own = (await lines(explain(chief, place))).filter(([kind]) => kind?.startsWith('grantable module'));
    expect(own.map(([, key, verdict, , why]) => `${key} ${verdict} ${why}`)).toEqual([
      'a yes role TENANT_SUPERADMIN has it',
      'b yes role TENANT_SUPERADMIN has it',
    ]);
  });

  it('people see sections whose lines fit the terminal', async () => {
    const place = company({ modules: ['invoices', 'payroll'], accessPolicyMode: 'SHADOW' });
    const user = await member(place, { moduleGrants: ['invoices'], moduleRules: [byTeam(DENY('invoices'))] });
    const text = await shown(explain(user, place), 80);
    expect(inWords(text)).toContain(`${user.email} in ${place.id}: role MEMBER; access policy SHADOW`);
    expect(text).toContain(
      '\nModules: 1 of 2\n  yes  invoices  the company is entitled; the grant list names it;',
    );
    expect(text).toContain('\n  no   payroll   the company is entitled;');
    expect(text).toContain('\nPermissions: 0 of 0\n');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('a reply without a verdict is not counted under SHADOW', async () => {
    const place = company({ modules: ['a'], accessPolicyMode: 'SHADOW' });
    const user = await member(place);
    const { stderr } = await testClient.run([...explain(user, place), '--verbose']);
    expect(stderr).not.toContain('ENFORCED would change');
  });

  it.each<[string, (place: TestCompany) => Promise<Pick<TestUser, 'email'>>, number, string]>([
    ['who is no member', () => service.createUser(), 1, 'There is no active membership of this company.'],
    [
      'whose membership is inactive',
      (place) => member(place, { isActive: false }),
      1,
      'There is no active membership of this company.',
    ],
    [
      'who may not sign in',
      (place) => member(place, {}, { active: false }),
      1,
      'This account is deactivated.',
    ],
    [
      'who is not there',
      () => Promise.resolve({ email: 'unknown@example.com' }),
      3,
      'There is no user unknown@example.com.',
    ],
  ])('explain for a user %s is an error with the reason', async (_who, find, code, sentence) => {
    const place = company({ modules: ['a'] });
    const result = await testClient.run(explain(await find(place), place));
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(`error: ${sentence}`);
  });
});

describe('access commands without a reply of the core service', () => {
  const commands = (id: string): string[][] => [
    ['access', 'explain', UNKNOWN_ID, '--company', id],
    ['access', 'diff', '--company', id],
    ['companies', 'members', id, '--module', 'a'],
  ];

  it('a missing core service is an error that names the settings', async () => {
    const alone = new OperatorClient(service);
    for (const args of commands(UNKNOWN_ID)) {
      const { code, stdout, stderr } = await alone.run(args);
      expect([code, stdout]).toEqual([4, '']);
      expect(stderr).toContain('Set CORE_BASE_URL and CORE_INTERNAL_API_KEY');
    }
  });

  it('an unavailable, failing or rejecting core service is an error with the reason', async () => {
    const CORE_BASE_URL = `http://127.0.0.1:${await freePort()}`;
    const place = company({ modules: ['a'] });
    const args = ['access', 'diff', '--company', place.id];
    const away = await new OperatorClient(service, { ...testClient.env, CORE_BASE_URL }).run(args);
    expect(away).toMatchObject({ code: 4, stdout: '' });
    expect(away.stderr).toMatch(
      /^error: The core service gave no usable answer \(connect ECONNREFUSED .*\)\.\n/,
    );
    expect(away.stderr).toContain('CORE_BASE_URL');

    core.fault = { kind: 'text', text: '{"modules":"x"}' };
    expect((await testClient.run(args)).stderr).toContain('(the response has an unexpected form)');
    core.fault = undefined;
    const stranger = new OperatorClient(service, { ...testClient.env, CORE_INTERNAL_API_KEY: 'another-key' });
    expect((await stranger.run(args)).stderr).toContain('(The core service answered 403).');
  });
});

describe('latchkey access diff', () => {
  const diff = (place: TestCompany, from: string, to: string, ...more: string[]): string[] => [
    'access',
    'diff',
    '--company',
    place.id,
    '--from',
    from,
    '--to',
    to,
    ...more,
  ];

  const modulesOf = async (user: TestUser, place: TestCompany): Promise<unknown> => {
    const path = `/internal/admin/users/${user.id}/access`;
    return (await service.machine('GET', path, { headers: { 'x-org': place.id } })).data.modules;
  };

  it('the preview of every member equals the reply of the routes after the switch', async () => {
    const modules = ['a', 'b', 'c', 'd'];
    const place = company({ modules });
    const pick = <T>(items: T[], count: number): T[] =>
      items.filter((_, index) => (count >> index) % 2 === 1);
    const users: TestUser[] = [];
    for (let number = 0; number < 32; number++) {
      const rules = [GRANT('a'), byTeam(GRANT('b')), DENY('a'), byTeam(DENY('c')), GRANT('c')];
      const role = number % 8 === 0 ? 'ADMIN' : number % 8 === 1 ? 'TENANT_SUPERADMIN' : 'MEMBER';
      const fields = {
        role,
        moduleGrants: pick([...modules, 'old'], number % 7),
        moduleRules: pick(rules, number),
      };
      users.push(await member(place, fields, { role: number % 5 === 0 ? 'PLATFORM_ADMIN' : 'NONE' }));
    }
    const modes = ['LEGACY', 'SHADOW', 'ENFORCED'] as const;
    const real = new Map<string, Map<string, unknown>>();
    for (const mode of modes) {
      core.set(place.id, { modules, accessPolicyMode: mode });
      const answers = await Promise.all(
        users.map(async (user) => [user.id, await modulesOf(user, place)] as const),
      );
      real.set(mode, new Map(answers));
    }
    for (const [from, to] of [
      ['LEGACY', 'ENFORCED'],
      ['ENFORCED', 'LEGACY'],
      ['SHADOW', 'ENFORCED'],
      ['LEGACY', 'SHADOW'],
    ] as const) {
      const preview = await testClient.json<PolicyPreviewView>(diff(place, from, to, '--all'));
      expect(preview).toMatchObject({ companyId: place.id, currentMode: 'ENFORCED', from, to });
      expect(preview.members.map(({ userId }) => userId)).toEqual(users.map(({ id }) => id).toReversed());
      for (const { userId, before, after, gained, lost } of preview.members) {
        expect([before, after]).toEqual([real.get(from)?.get(userId), real.get(to)?.get(userId)]);
        expect(
          before
            .filter((key) => !lost.includes(key))
            .concat(gained)
            .toSorted(),
        ).toEqual(after);
      }
      const changed = preview.members.filter(({ gained, lost }) => gained.length + lost.length > 0);
      expect(preview.summary).toMatchObject({
        members: 32,
        barred: 0,
        changed: changed.length,
        unchanged: 32 - changed.length,
        losing: changed.filter(({ lost }) => lost.length > 0).length,
        gaining: changed.filter(({ gained }) => gained.length > 0).length,
      });
      expect(changed.length > 0).toBe(from !== 'LEGACY' || to !== 'SHADOW');
    }
  });

  it('the preview lists members whose modules change, and defaults to the current mode', async () => {
    const place = company({ modules: ['a', 'b'], accessPolicyMode: 'SHADOW' });
    const same = await member(place, { moduleGrants: ['a'] });
    const other = await member(place, { moduleGrants: ['a'], moduleRules: [byTeam(GRANT('b')), DENY('a')] });
    const pending = await member(place, {}, { approval: 'PENDING' });
    await member(place, { isActive: false });

    const args = ['access', 'diff', '--company', place.id];
    expect(await lines(args)).toEqual([[other.id, other.email, 'MEMBER', 'a', 'b']]);
    expect((await lines([...args, '--all'])).map(([id]) => id)).toEqual([pending.id, other.id, same.id]);
    expect((await testClient.run([...args, '--quiet'])).stdout).toBe(`${other.id}\n`);
    expect((await testClient.json<PolicyPreviewView>(args)).summary).toEqual({
      members: 3,
      barred: 1,
      unchanged: 2,
      changed: 1,
      gaining: 1,
      losing: 1,
    });
    const text = await shown(args, 80);
    expect(inWords(text)).toContain(
      'is under SHADOW. From SHADOW to ENFORCED, of 3 active members (1 may not sign in):',
    );
    expect(text).toContain('2 unchanged, 1 changed: 1 would lose modules, 1 would gain some.\n');
    expect(text).toMatch(new RegExp(`${other.email.slice(0, 10)}.* a +b\n$`));
  });

  it('the preview asks the core service once for all pages of members', async () => {
    const place = company({ modules: ['a'] });
    await service.sql(
      `WITH people AS (
         INSERT INTO users (id, email, global_role, approval_status, is_active)
         SELECT gen_random_uuid(), 'crowd-' || n || '@example.com', 'NONE', 'APPROVED', true
         FROM generate_series(1, 1203) AS n RETURNING id)
       INSERT INTO company_memberships (id, user_id, company_id) SELECT gen_random_uuid(), id, $1 FROM people`,
      [place.id],
    );
    const calls = core.calls;
    const preview = await testClient.json<PolicyPreviewView>(diff(place, 'LEGACY', 'ENFORCED'));
    expect(core.calls - calls).toBe(1);
    expect(preview.summary).toMatchObject({ members: 1203, losing: 1203 });
    expect(new Set(preview.members.map(({ userId }) => userId)).size).toBe(1203);
  });

  it('--fail-on-loss exits with 1 after it printed the preview', async () => {
    const place = company({ modules: ['a'] });
    await member(place, { moduleGrants: ['a'] });
    expect(await testClient.run(diff(place, 'LEGACY', 'ENFORCED', '--fail-on-loss'))).toMatchObject({
      code: 0,
    });
    const loser = await member(place);
    expect(await testClient.run(diff(place, 'LEGACY', 'ENFORCED'))).toMatchObject({ code: 0, stderr: '' });
    const result = await testClient.run(diff(place, 'LEGACY', 'ENFORCED', '--fail-on-loss'));
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(loser.id);
    expect(result.stderr).toContain('error: 1 member would lose modules.');
    expect((await testClient.run(diff(place, 'ENFORCED', 'LEGACY', '--fail-on-loss'))).code).toBe(0);
  });

  it('the preview writes nothing', async () => {
    const place = company({ modules: ['a'] });
    const user = await member(place, { moduleRules: [DENY('a')] });
    const before = [await place.rows(), await place.rules(user.id), await place.audit()];
    await testClient.json(diff(place, 'LEGACY', 'ENFORCED'));
    expect([await place.rows(), await place.rules(user.id), await place.audit()]).toEqual(before);
  });

  it.each([
    ['a company that is not known', ['--company', UNKNOWN_ID], 1, 'The company is not known.'],
    ['no company', [], 2, '--company <id> is missing.'],
    [
      'an unknown mode',
      ['--company', UNKNOWN_ID, '--to', 'OPEN'],
      2,
      'Allowed choices are ENFORCED, LEGACY, SHADOW.',
    ],
  ])('access diff with %s is an error with the reason', async (_what, args, code, sentence) => {
    const result = await testClient.run(['access', 'diff', ...args]);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(sentence);
  });
});
