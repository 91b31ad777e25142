import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../packages/core/src/kernel/secret.js';
import { answerChallenge, challengeOf } from '../support/authenticator-app.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { ExternalClient, externalEnv, googlePerson } from '../support/external-client.js';
import { FOREIGN_HASHES } from '../support/foreign-hashes.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { openConnection } from '../support/open-connection.js';
import { operate } from '../support/operations.js';
import { FACTOR_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';
import { exportFrom, fileOf, importInto } from '../support/user-import.js';
import { waitUntil } from '../support/wait-until.js';

const ENV = { FACTOR_ENCRYPTION_KEYS: FACTOR_KEY };

let service: TestService;
let hash: unknown;
let count = 0;

beforeAll(async () => {
  service = await startTestService({ env: ENV });
  const { id } = await service.createUser();
  const [row] = await service.sql('SELECT password_hash FROM users WHERE id = $1', [id]);
  hash = row?.password_hash;
});
afterAll(() => service.stop());

const newEmail = (): string => `person-${(count += 1)}@import.example.com`;

const userOf = (email: string) => service.auth.admin.users.getByEmail(email);

/** The rows of every table, the audit log included. */
async function rowCounts(): Promise<unknown> {
  const tables = await service.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  const counts = tables.map(async ({ tablename }) => [
    tablename,
    await service.sql(`SELECT count(*)::int AS n FROM ${String(tablename)}`),
  ]);
  return Promise.all(counts);
}

describe('an imported user', () => {
  it('an imported user has everything that the record says, and signs in with the old password', async () => {
    const email = newEmail();
    const [companyId, businessUnitId] = [randomUUID(), randomUUID()];
    const record = {
      email: email.toUpperCase(),
      isEmailVerified: true,
      fullName: 'Ada Berg',
      phonePrefix: '+49',
      phoneNumber: '3012345',
      profilePictureUrl: 'https://pictures.example.com/ada',
      locale: 'de',
      legacyIds: { crm: '4711' },
      createdAt: '2019-05-04T03:02:01.123456+02:00',
      passwordHash: hash,
      memberships: [
        {
          companyId,
          role: 'ADMIN',
          approvalLimit: '100.50',
          financeRole: 'APPROVER',
          isPrimaryFinanceAdmin: true,
          moduleGrants: ['billing'],
          permissionGrants: ['invoices:read'],
          delegation: { canManageUsers: true, grantableModules: ['billing'] },
          businessUnits: [{ businessUnitId, financeRole: 'APPROVER', isPrimaryApprover: true }],
        },
      ],
    };
    expect(await importInto(service, [record], { allowRoles: true })).toEqual({
      status: 'ok',
      created: 1,
      updated: 0,
      skipped: 0,
      rejected: 0,
      isComplete: true,
      reports: [],
    });
    const user = await userOf(email);
    expect(user).toMatchObject({
      email,
      fullName: 'Ada Berg',
      phonePrefix: '+49',
      locale: 'de',
      legacyIds: { crm: '4711' },
      approvalStatus: 'APPROVED',
      isActive: true,
      globalRole: 'NONE',
      createdAt: '2019-05-04T01:02:01.123Z',
      emailVerifiedAt: expect.any(String) as string,
    });
    expect(await service.auth.admin.users.context(user.id)).toMatchObject({
      companyMemberships: [
        {
          companyId,
          role: 'ADMIN',
          approvalLimit: '100.50',
          isPrimaryFinanceAdmin: true,
          moduleGrants: ['billing'],
          permissionGrants: ['invoices:read'],
          delegation: { canManageUsers: true, canBuyAddons: false, grantableModules: ['billing'] },
        },
      ],
      businessUnitMemberships: [{ businessUnitId, isPrimaryApprover: true }],
    });
    const rules = await service.sql(
      `SELECT r.module_key, r.effect, r.source FROM membership_module_rules r
       JOIN company_memberships m ON m.id = r.membership_id WHERE m.user_id = $1`,
      [user.id],
    );
    expect(rules).toEqual([{ module_key: 'billing', effect: 'GRANT', source: 'MEMBER' }]);
    await service.signIn({ email, password: PASSWORD });
  });

  it('an imported authenticator app asks for its codes, and a passkey is kept', async () => {
    const email = newEmail();
    const record = {
      email,
      isEmailVerified: true,
      passwordHash: hash,
      totp: [{ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
      passkeys: [
        {
          credentialId: 'AAEC',
          publicKey: 'AwQF',
          deviceType: 'multiDevice',
          isBackedUp: true,
          name: 'Laptop',
        },
      ],
    };
    expect(await importInto(service, [record])).toMatchObject({ created: 1, reports: [] });
    const answer = await service.api('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect(answer.data).toMatchObject({
      secondFactor: { methods: expect.arrayContaining(['totp']) as unknown },
    });
    const { id } = await userOf(email);
    const rows = await service.sql('SELECT name, counter FROM passkey_credentials WHERE user_id = $1', [id]);
    expect(rows).toEqual([{ name: 'Laptop', counter: '0' }]);
  });

  it('an imported account at another service signs its user in, and one without a connection is left out', async () => {
    const provider = await HostileProvider.start();
    onTestFinished(() => provider.stop());
    const target = await serviceForThisTest({ env: externalEnv(provider) });
    const [ann, bob] = [newEmail(), newEmail()];
    const subject = randomUUID();
    const unknown = { provider: 'okta', subject: 'ann' };
    const { created, reports } = await importInto(target, [
      { email: ann, isEmailVerified: true, identities: [{ provider: 'google', subject }, unknown] },
      { email: bob, isEmailVerified: true, identities: [{ provider: 'google', subject }] },
      { email: newEmail(), identities: [{ provider: 'google', subject: 'eve@gmail.com' }] },
    ]);
    expect(created).toBe(2);
    expect(reports).toMatchObject([
      { position: 1, outcome: 'incomplete', reasons: [expect.stringContaining('no connection') as unknown] },
      { position: 2, outcome: 'incomplete', reasons: ['identities: one belongs to another user already'] },
      { position: 3, outcome: 'rejected', reasons: [expect.stringContaining('never an address') as unknown] },
    ]);
    const client = new ExternalClient(target, provider);
    const answer = await client.signIn('google', { ...googlePerson(), sub: subject });
    const token = answer.data.accessToken;
    expect((await target.api('GET', '/auth/me', { token })).data).toMatchObject({ email: ann });
  });

  it('without a provider in the settings every account at another service is left out', async () => {
    const email = newEmail();
    const identities = [{ provider: 'google', subject: '1' }];
    const { reports } = await importInto(service, [{ email, identities }]);
    expect(reports).toMatchObject([{ reasons: [expect.stringContaining('EXTERNAL_PROVIDERS') as unknown] }]);
    const { id } = await userOf(email);
    expect(await service.sql('SELECT 1 FROM external_identities WHERE user_id = $1', [id])).toEqual([]);
  });

  it('a weak hash is wrapped at once if asked for, for many users, and the old password goes on working', async () => {
    const bcrypt = FOREIGN_HASHES.find(({ hash: text }) => text.startsWith('$2b$05$'));
    const emails = Array.from({ length: 200 }, newEmail);
    const records = emails.map((email) => ({ email, isEmailVerified: true, passwordHash: bcrypt?.hash }));
    expect(await importInto(service, records, { wrapWeak: true })).toMatchObject({
      created: 200,
      reports: [],
    });
    const rows = await service.sql('SELECT password_hash FROM users WHERE email = ANY($1)', [emails]);
    for (const row of rows) expect(row.password_hash).toMatch(/^\$wrapped\$/);
    await service.signIn({ email: emails[199] ?? '', password: bcrypt?.password ?? '' });
    const [after] = await service.sql('SELECT password_hash FROM users WHERE email = $1', [emails[199]]);
    expect(after?.password_hash).toMatch(/^\$argon2id\$/);
  });

  it('a hash of an unknown scheme leaves the user without a password, and the report says so', async () => {
    const email = newEmail();
    const { created, reports } = await importInto(service, [{ email, passwordHash: '$9$unknown$scheme' }]);
    expect(created).toBe(1);
    expect(reports).toEqual([
      { position: 1, outcome: 'incomplete', reasons: [expect.stringContaining('passwordHash') as string] },
    ]);
    const [row] = await service.sql('SELECT password_hash FROM users WHERE email = $1', [email]);
    expect(row).toEqual({ password_hash: null });
  });
});

describe('rights in a file', () => {
  it('a role on the platform is left out unless roles are allowed', async () => {
    const [without, withRole] = [newEmail(), newEmail()];
    const globalRole = 'PLATFORM_ADMIN';
    const { reports } = await importInto(service, [{ email: without, globalRole }]);
    expect(reports).toMatchObject([{ position: 1, outcome: 'incomplete' }]);
    expect((await userOf(without)).globalRole).toBe('NONE');
    await importInto(service, [{ email: withRole, globalRole }], { allowRoles: true });
    expect((await userOf(withRole)).globalRole).toBe(globalRole);
  });

  it('a new user gets memberships of an ordinary member only, unless roles are allowed', async () => {
    const [email, businessUnitId] = [newEmail(), randomUUID()];
    const [powerful, limited, plain] = [randomUUID(), randomUUID(), randomUUID()];
    const memberships = [
      {
        companyId: powerful,
        role: 'TENANT_SUPERADMIN',
        approvalLimit: '100.50',
        financeRole: 'APPROVER',
        isPrimaryFinanceAdmin: true,
        permissionGrants: ['invoices:approve'],
        delegation: { canManageUsers: true },
        moduleRules: [
          { moduleKey: 'a', effect: 'GRANT', source: 'TEAM' },
          { moduleKey: 'b', effect: 'DENY', source: 'TEAM' },
        ],
        businessUnits: [
          { businessUnitId, financeRole: 'APPROVER', approvalLimit: '5', isPrimaryApprover: true },
        ],
      },
      { companyId: limited, moduleGrants: ['billing'] },
      { companyId: plain },
    ];
    const { created, reports } = await importInto(service, [{ email, memberships }]);
    expect(created).toBe(1);
    expect(reports).toMatchObject([{ position: 1, outcome: 'incomplete' }]);
    const reasons = reports[0]?.reasons.join('\n') ?? '';
    for (const field of ['role', 'approvalLimit', 'financeRole', 'isPrimaryFinanceAdmin', 'moduleGrants'])
      expect(reasons).toContain(`memberships.${field}: was left out`);
    for (const field of ['permissionGrants', 'delegation', 'moduleRules', 'businessUnits.isPrimaryApprover'])
      expect(reasons).toContain(`memberships.${field}: was left out`);
    expect(reasons).toContain(`company ${limited} is inactive`);
    const { id } = await userOf(email);
    const rows = await service.sql(
      `SELECT m.company_id, m.role, m.is_active, m.finance_role, m.approval_limit, m.is_primary_finance_admin,
         (SELECT count(*)::int FROM membership_module_grants g WHERE g.membership_id = m.id)
         + (SELECT count(*)::int FROM membership_permissions p WHERE p.membership_id = m.id)
         + (SELECT count(*)::int FROM membership_delegations d WHERE d.membership_id = m.id) AS grants,
         ARRAY(SELECT effect FROM membership_module_rules r WHERE r.membership_id = m.id) AS rules
       FROM company_memberships m WHERE user_id = $1`,
      [id],
    );
    const ordinary = { role: 'MEMBER', finance_role: null, approval_limit: null, grants: 0 };
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...ordinary, company_id: powerful, is_active: true, rules: ['DENY'] }),
        expect.objectContaining({ ...ordinary, company_id: limited, is_active: false, rules: [] }),
        expect.objectContaining({ ...ordinary, company_id: plain, is_active: true, rules: [] }),
      ]),
    );
    const { businessUnitMemberships } = await service.auth.admin.users.context(id);
    expect(businessUnitMemberships).toMatchObject([
      { businessUnitId, financeRole: null, approvalLimit: null, isPrimaryApprover: false },
    ]);
  });

  it('a second primary person of a company and a business unit of another company are left out and reported', async () => {
    const [companyId, otherId, businessUnitId] = [randomUUID(), randomUUID(), randomUUID()];
    const membership = { companyId, isPrimaryFinanceAdmin: true, businessUnits: [{ businessUnitId }] };
    const entries = [
      { email: newEmail(), memberships: [membership] },
      { email: newEmail(), memberships: [membership] },
      { email: newEmail(), memberships: [{ companyId: otherId, businessUnits: [{ businessUnitId }] }] },
    ];
    const { created, reports } = await importInto(service, entries, { allowRoles: true });
    expect(created).toBe(3);
    expect(reports.map(({ position, outcome }) => [position, outcome])).toEqual([
      [2, 'incomplete'],
      [3, 'incomplete'],
    ]);
    expect(reports[1]?.reasons[0]).toContain('belongs to another company');
    const units = await service.sql(
      'SELECT DISTINCT company_id FROM business_unit_memberships WHERE business_unit_id = $1',
      [businessUnitId],
    );
    expect(units).toEqual([{ company_id: companyId }]);
  });
});

describe('entries that cannot be imported', () => {
  it('each is reported with its line and the reason, and the rest is imported', async () => {
    const [first, last, id] = [newEmail(), newEmail(), randomUUID()];
    const { reports, ...result } = await importInto(service, [
      { email: first, id },
      '{"email": "broken@example.com"',
      '["a list"]',
      { fullName: 'No Address' },
      { email: 'not an address' },
      { email: newEmail(), emailVerifed: true },
      { email: newEmail(), fullName: 'NUL \u0000' },
      { email: newEmail(), legacyIds: { crm: 'half \uD83C' } },
      { email: newEmail(), createdAt: '2024-02-30T00:00:00Z' },
      { email: newEmail(), createdAt: '0000-01-01T00:00:00Z' },
      { email: newEmail(), memberships: [{ companyId: 'acme' }] },
      {
        email: newEmail(),
        memberships: [{ companyId: randomUUID(), isActive: false, isPrimaryFinanceAdmin: true }],
      },
      { email: newEmail(), totp: [{ secret: 'not base32' }] },
      { email: newEmail(), id },
      { email: last },
    ]);
    expect(result).toMatchObject({ created: 2, rejected: 13, isComplete: true });
    expect(reports.map(({ position }) => position)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    const reasonOf = (position: number) => reports.find((report) => report.position === position)?.reasons[0];
    expect(reasonOf(4)).toBe('email: is required');
    expect(reasonOf(6)).toContain('emailVerifed');
    expect(reasonOf(14)).toContain('id: belongs to another user');
    expect(await userOf(last)).toMatchObject({ email: last });
  });

  it('an authenticator app is not dropped where no key can encrypt its secret', async () => {
    const email = newEmail();
    const file = await fileOf([{ email, totp: [{ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }] }]);
    const operator = { kind: 'operator', name: 'alice' } as const;
    const result = await operate(service.auth, ({ userImports }) =>
      userImports.importFile(operator, { file }),
    );
    expect(result).toMatchObject({ created: 0, rejected: 1 });
    await expect(userOf(email)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an address that its former owner may take back is not given to anybody', async () => {
    const email = newEmail();
    const { id } = await service.createUser();
    await service.sql(
      `INSERT INTO email_changes (id, user_id, session_id, new_email, confirmed_at, old_email, undo_expires_at)
       VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'new@example.com', now(), $2, now() + interval '1 day')`,
      [id, email],
    );
    for (const dryRun of [true, false]) {
      const { created, reports } = await importInto(service, [{ email }], { dryRun });
      expect(created).toBe(0);
      expect(reports[0]?.reasons[0]).toContain('reserved');
    }
  });
});

it('an address that becomes reserved while the import waits for it is not given to anybody', async () => {
  const { id, email } = await service.createUser();
  const other = await openConnection(service.databaseUrl);
  try {
    await other.query('BEGIN');
    await other.query('UPDATE users SET email = $2 WHERE id = $1', [id, newEmail()]);
    const importing = importInto(service, [{ email }]);
    await waitUntil(
      async () => {
        const waiting = await service.sql(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO users%' AND datname = current_database()",
        );
        return waiting.length > 0;
      },
      { what: 'the import to wait' },
    );
    await other.query(
      `INSERT INTO email_changes (id, user_id, session_id, new_email, confirmed_at, old_email, undo_expires_at)
       VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'new@example.com', now(), $2, now() + interval '1 day')`,
      [id, email],
    );
    await other.query('COMMIT');
    const { created, reports } = await importing;
    expect([created, reports[0]?.reasons[0]]).toEqual([0, expect.stringContaining('reserved')]);
  } finally {
    await other.end();
  }
});

describe('users who exist', () => {
  const membership = { companyId: randomUUID(), role: 'ADMIN' };

  it('they are skipped by default', async () => {
    const email = newEmail();
    await importInto(service, [{ email, fullName: 'First' }]);
    const result = await importInto(service, [{ email, fullName: 'Second', memberships: [membership] }]);
    expect(result).toMatchObject({ created: 0, skipped: 1, rejected: 0 });
    expect((await userOf(email)).fullName).toBe('First');
  });

  it('an update changes the profile and adds memberships, and nothing of how they sign in or what they are', async () => {
    const { email, id } = await service.createUser({ fullName: 'First' });
    await importInto(service, [{ email, legacyIds: { a: '1' } }], { onConflict: 'update' });
    const before = await service.sql(
      'SELECT password_hash, global_role, approval_status, is_active, email_verified_at, created_at FROM users WHERE id = $1',
      [id],
    );
    const change = {
      email,
      fullName: 'Second',
      legacyIds: { b: '2' },
      passwordHash: '$2b$10$abcdefghijklmnopqrstuv',
      globalRole: 'PLATFORM_SUPERADMIN',
      approvalStatus: 'REJECTED',
      isActive: false,
      totp: [{ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
      memberships: [membership],
    };
    const result = await importInto(service, [change], { onConflict: 'update', allowRoles: true });
    expect(result).toMatchObject({ created: 0, updated: 1, skipped: 0 });
    expect(await userOf(email)).toMatchObject({ fullName: 'Second', legacyIds: { a: '1', b: '2' } });
    const after = await service.sql(
      'SELECT password_hash, global_role, approval_status, is_active, email_verified_at, created_at FROM users WHERE id = $1',
      [id],
    );
    expect(after).toEqual(before);
    const { companyMemberships } = await service.auth.admin.users.context(id);
    expect(companyMemberships).toMatchObject([{ role: 'ADMIN' }]);
    expect(await service.sql('SELECT id FROM totp_factors WHERE user_id = $1', [id])).toEqual([]);
    await service.signIn({ email, password: PASSWORD });
  });

  it('an update gives no membership to a user who exists, unless roles are allowed', async () => {
    const { email, id } = await service.createUser();
    const entry = { email, fullName: 'Changed', memberships: [{ companyId: randomUUID() }] };
    const options = { onConflict: 'update' } as const;
    const planned = await importInto(service, [entry], { ...options, dryRun: true });
    const result = await importInto(service, [entry], options);
    expect(planned).toEqual(result);
    expect(result).toMatchObject({ updated: 1, rejected: 0 });
    expect(result.reports[0]?.reasons[0]).toContain('memberships: were left out');
    expect((await userOf(email)).fullName).toBe('Changed');
    expect(await service.sql('SELECT id FROM company_memberships WHERE user_id = $1', [id])).toEqual([]);
  });

  it('a membership that exists stays as it is', async () => {
    const email = newEmail();
    const companyId = randomUUID();
    const membershipOf = (role: string) => ({ email, memberships: [{ companyId, role }] });
    await importInto(service, [membershipOf('MEMBER')]);
    const options = { onConflict: 'update', allowRoles: true } as const;
    const { reports } = await importInto(service, [membershipOf('ADMIN')], options);
    expect(reports[0]?.reasons[0]).toContain('stays as it is');
    const { companyMemberships } = await service.auth.admin.users.context((await userOf(email)).id);
    expect(companyMemberships).toMatchObject([{ role: 'MEMBER' }]);
  });

  it('with fail the import stops before the first of them', async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await importInto(service, [{ email: known }]);
    await expect(
      importInto(service, [{ email: unknown }, { email: known }], { onConflict: 'fail' }),
    ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('entry 2') as string });
    await expect(userOf(unknown)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a second entry for one address in a file counts as an existing user', async () => {
    const email = newEmail();
    const entries = [
      { email, fullName: 'First' },
      { email, fullName: 'Second' },
    ];
    for (const dryRun of [true, false]) {
      expect(await importInto(service, entries, { dryRun })).toMatchObject({ created: 1, skipped: 1 });
    }
    expect((await userOf(email)).fullName).toBe('First');
  });
});

it('a dry run reports what the import does, and writes nothing', async () => {
  const entries = [
    { email: newEmail(), passwordHash: '$9$unknown' },
    'not json',
    { email: (await service.createUser()).email },
    { email: newEmail(), globalRole: 'PLATFORM_ADMIN' },
  ];
  const before = await rowCounts();
  const planned = await importInto(service, entries, { dryRun: true });
  expect(await rowCounts()).toEqual(before);
  expect(planned).toEqual(await importInto(service, entries));
  expect(planned).toMatchObject({ created: 2, skipped: 1, rejected: 1 });
});

describe('an import that does not run through', () => {
  const entries = () => Array.from({ length: 3500 }, () => ({ email: newEmail() }));

  it('an import that was stopped is continued by the same call', async () => {
    const file = await fileOf([...entries(), 'not json']);
    const stop = new AbortController();
    const operator = { kind: 'operator', name: 'alice' } as const;
    const run = (signal?: AbortSignal, onResume?: (position: number) => void) =>
      operate(service.auth, ({ userImports }) =>
        userImports.importFile(operator, { file }, { signal, onResume, onProgress: () => stop.abort() }),
      );
    const first = await run(stop.signal);
    expect(first.isComplete).toBe(false);
    expect(first.created).toBeLessThan(3500);
    const resumed: number[] = [];
    const second = await run(undefined, (position) => void resumed.push(position));
    expect(second).toMatchObject({ created: 3500, skipped: 0, rejected: 1, isComplete: true });
    expect(resumed).toEqual(first.created === 0 ? [] : [first.created]);
  });

  it('two processes with one file create every user once', async () => {
    const file = await fileOf(entries());
    const outcomes = await Promise.allSettled([importInto(service, file), importInto(service, file)]);
    const failed = outcomes.filter(({ status }) => status === 'rejected');
    for (const outcome of failed) {
      expect((outcome as PromiseRejectedResult).reason).toMatchObject({ code: 'conflict' });
    }
    const last = await importInto(service, file);
    const [row] = await service.sql(
      'SELECT count(*)::int AS users, count(DISTINCT email)::int AS emails FROM users WHERE email = ANY($1)',
      [(await exportFrom(service)).map((line) => (JSON.parse(line) as { email: string }).email)],
    );
    expect(row?.users).toBe(row?.emails);
    expect(last.isComplete).toBe(true);
    const leftovers = await service.sql('SELECT * FROM user_import_reports');
    expect(leftovers).toEqual([]);
  });
});

it('the audit log has a row for each batch that says who imported how many, and no person', async () => {
  const email = newEmail();
  await importInto(service, [{ email, fullName: 'Nobody Knows' }]);
  const [row] = await service.sql(
    "SELECT * FROM auth_audit_logs WHERE event = 'users_imported' ORDER BY occurred_at DESC, id DESC LIMIT 1",
  );
  expect(row).toMatchObject({
    actor: 'cli:alice',
    outcome: 'success',
    details: { format: 'jsonl', upTo: 1, created: 1, updated: 0, allowRoles: false },
  });
  expect(JSON.stringify(row)).not.toContain(email);
});

it('the audit log has a row for each membership that names the user, the company and what it gives', async () => {
  const [email, companyId, businessUnitId] = [newEmail(), randomUUID(), randomUUID()];
  const rights = { role: 'ADMIN', isPrimaryFinanceAdmin: true, permissionGrants: ['x'] };
  const memberships = [
    {
      companyId,
      ...rights,
      businessUnits: [{ businessUnitId, isPrimaryApprover: true, financeRole: 'APPROVER' }],
    },
    { companyId: randomUUID() },
  ];
  await importInto(service, [{ email, memberships }], { allowRoles: true });
  const { id } = await userOf(email);
  const rows = await service.sql(
    `SELECT event, actor, company_id, details FROM auth_audit_logs
     WHERE subject_user_id = $1 AND event LIKE '%membership%' ORDER BY event DESC, details->>'role'`,
    [id],
  );
  expect(rows).toMatchObject([
    { event: 'membership_created', actor: 'cli:alice', company_id: companyId, details: rights },
    { event: 'membership_created', details: { role: 'MEMBER', importId: expect.any(String) as string } },
    {
      event: 'business_unit_membership_changed',
      company_id: companyId,
      details: { businessUnitId, financeRole: 'APPROVER', isPrimaryApprover: true },
    },
  ]);
});

it('an export that is imported into an empty database is the identity, memberships and factors included', async () => {
  const provider = await HostileProvider.start();
  onTestFinished(() => provider.stop());
  const env = { ...ENV, ...externalEnv(provider) };
  const source = await serviceForThisTest({ env });
  const company = {
    companyId: randomUUID(),
    role: 'OWNER',
    moduleGrants: ['b', 'a'],
    permissionGrants: ['x'],
  };
  const rule = { moduleKey: 'c', effect: 'DENY', source: 'TEAM', teamId: randomUUID() };
  const unit = { businessUnitId: randomUUID(), isActive: false };
  const people = [
    {
      email: 'a@example.com',
      fullName: 'Zoë "Q" \\ Ünï',
      passwordHash: hash,
      legacyIds: { 'k"ey': 'v\\al' },
    },
    {
      email: 'b@example.com',
      isEmailVerified: true,
      memberships: [
        { ...company, delegation: { canBuyAddons: true }, moduleRules: [rule], businessUnits: [unit] },
        { companyId: randomUUID(), isActive: false },
      ],
      identities: [
        { provider: 'plain', subject: 'b', email: 'b@example.org', createdAt: '2024-05-01T12:00:00Z' },
      ],
      passkeys: [
        { credentialId: 'AAEC', publicKey: 'AwQF_w', deviceType: 'singleDevice', isBackedUp: false },
      ],
    },
  ];
  await importInto(source, people, { allowRoles: true });
  const admin = await source.createUser({ role: 'PLATFORM_SUPERADMIN' });
  await enrolFactor(source.sql, admin.id);
  await source.api('POST', '/auth/register', {
    body: { email: 'pending@example.com', password: PASSWORD, fullName: 'Pen Ding' },
  });
  const exported = await exportFrom(source);
  const target = await serviceForThisTest({ env });
  const result = await importInto(target, exported, { allowRoles: true });
  expect(result).toMatchObject({ created: exported.length, rejected: 0, reports: [] });
  expect(await exportFrom(target)).toEqual(exported);
  expect(exported.length).toBe(4);
});

it('recovery codes of an export work in a service with other keys, and digests without a key get one', async () => {
  const source = await serviceForThisTest({ env: ENV });
  const [ann, bob] = [await source.createUser(), await source.createUser()];
  const codes = [await enrolFactor(source.sql, ann.id), await enrolFactor(source.sql, bob.id)];
  const records = (await exportFrom(source)).map(
    (line) => JSON.parse(line) as { id: string; recoveryCodes: { digest: string; key?: string }[] },
  );
  const plain = records.find(({ id }) => id === bob.id);
  for (const [index, code] of (plain?.recoveryCodes ?? []).entries()) {
    delete code.key;
    code.digest = digestOf((codes[1]?.recoveryCodes[index] ?? '').replaceAll('-', '')).toString('base64url');
  }
  const key = Buffer.alloc(32, 6);
  const target = await serviceForThisTest({ env: { FACTOR_ENCRYPTION_KEYS: key.toString('base64') } });
  expect(await importInto(target, records, { encryptionKeys: [key] })).toMatchObject({
    created: 2,
    reports: [],
  });
  for (const [index, user] of [ann, bob].entries()) {
    const { challenge } = await challengeOf(target, user);
    const recoveryCode = codes[index]?.recoveryCodes[3] ?? '';
    expect(await answerChallenge(target, { challenge, recoveryCode })).toMatchObject({ status: 200 });
  }
  expect(await target.sql('SELECT 1 FROM recovery_codes WHERE key_id IS NULL')).toEqual([]);
  const digests = plain?.recoveryCodes.map(({ digest }) => Buffer.from(digest, 'base64url'));
  expect(await target.sql('SELECT 1 FROM recovery_codes WHERE code_digest = ANY($1)', [digests])).toEqual([]);
});

it('recovery codes are left out and reported where no key can protect them', async () => {
  const email = newEmail();
  const recoveryCodes = [{ digest: digestOf('0123456789abcde').toString('base64url') }];
  const { reports } = await importInto(service, [{ email, recoveryCodes }], { encryptionKeys: undefined });
  expect(reports).toMatchObject([
    { outcome: 'incomplete', reasons: [expect.stringContaining('ENCRYPTION_KEYS') as string] },
  ]);
  const { id } = await userOf(email);
  expect(await service.sql('SELECT 1 FROM recovery_codes WHERE user_id = $1', [id])).toEqual([]);
});

it('an export has no erased users, and their address can be imported again', async () => {
  const target = await serviceForThisTest({ env: ENV });
  const { id, email } = await target.createUser();
  const operator = { kind: 'operator', name: 'alice' } as const;
  await target.auth.admin.erasure.erase(operator, id, 'request 4711');
  expect(await exportFrom(target)).toEqual([]);
  expect(await importInto(target, [{ email }])).toMatchObject({ created: 1, reports: [] });
  expect((await target.auth.admin.users.getByEmail(email)).id).not.toBe(id);
});

it('an export without hashes holds nothing that signs anybody in', async () => {
  const source = await serviceForThisTest({ env: ENV });
  const { id } = await source.createUser();
  await enrolFactor(source.sql, id);
  const operator = { kind: 'operator', name: 'alice' } as const;
  const lines: string[] = [];
  await operate(source.auth, async ({ userExports }) => {
    for await (const slice of userExports.lines(operator)) lines.push(...slice);
  });
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toMatch(/argon2|passwordHash|totp|recoveryCodes|secret/i);
  const [row] = await source.sql("SELECT actor, details FROM auth_audit_logs WHERE event = 'users_exported'");
  expect(row).toEqual({ actor: 'cli:alice', details: { withHashes: false } });
});
