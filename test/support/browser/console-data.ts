import { randomUUID } from 'node:crypto';
import type { GlobalRole } from '@latchkey/core';
import { CoreService } from '../../../examples/core-service/core-service.js';
import { enrolFactor } from '../enrolled-user.js';
import { calledFrom, type PersonDevice } from '../person-client.js';
import { startTestService, type TestService } from '../service.js';
import { insertMembership } from '../test-memberships.js';
import { insertPasskey } from '../test-passkeys.js';
import type { TestUser } from '../test-users.js';

interface ConsoleData {
  companyId: string;
  superadmin: TestUser;
  moderator: TestUser;
  /** A user with sessions, a passkey, an app and a membership. */
  member: TestUser;
  waiting: TestUser[];
}

/** A service whose console has something to show in every view. */
export interface ConsoleService extends ConsoleData {
  service: TestService;
  stop: () => Promise<void>;
}

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const DEVICES: readonly PersonDevice[] = [
  { ipAddress: '81.169.145.33', userAgent: MAC, deviceName: '' },
  { ipAddress: '2a02:8109:b5c0::4e1', userAgent: IPHONE, deviceName: 'Ines iPhone' },
  { ipAddress: '194.25.134.8', userAgent: WINDOWS, deviceName: '' },
];

const PEOPLE: readonly (readonly [name: string, email: string])[] = [
  ['Ines Okafor', 'ines.okafor@contoso.example'],
  ['Jonas Brandt', 'jonas.brandt@contoso.example'],
  ['Priya Raman', 'priya.raman@fabrikam.example'],
  ['Tomás Herrera', 'tomas.herrera@northwind.example'],
  ['Lena Sørensen', 'lena@sorensen.example'],
  ['Amélie Dubois', 'amelie.dubois@northwind.example'],
  ['Kwame Mensah', 'kwame.mensah@contoso.example'],
  ['Yuki Tanaka', 'yuki.tanaka@fabrikam.example'],
  ['Nadia Haddad', 'nadia.haddad@contoso.example'],
  ['Oskar Nowak', 'oskar.nowak@northwind.example'],
];

const APPLICANTS: readonly (readonly [name: string, email: string])[] = [
  ['Greta Falk', 'greta.falk@contoso.example'],
  ['Bartholomew Featherstonehaugh-Cholmondeley', 'bartholomew.featherstonehaugh@fabrikam.example'],
  ['Ravi Menon', 'ravi.menon@northwind.example'],
];

const STAFF: readonly (readonly [name: string, email: string, role: GlobalRole])[] = [
  ['Mara Lindqvist', 'mara@latchkey.example', 'PLATFORM_SUPERADMIN'],
  ['Felix Adeyemi', 'felix@latchkey.example', 'PLATFORM_ADMIN'],
  ['Sofia Marchetti', 'sofia@latchkey.example', 'PLATFORM_MODERATOR'],
];

const CORE_KEY = 'key-of-the-core-service';
/** The modules that the company may use. */
const MODULES = ['invoices', 'payroll', 'projects', 'reports'];

/** Starts a service with people, sessions, invitations, mails and audit entries, as after a few days of use. */
export async function startConsoleService(): Promise<ConsoleService> {
  const core = await CoreService.start({ apiKey: CORE_KEY });
  const env = { TRUST_PROXY: '127.0.0.1', CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY };
  const service = await startTestService({ env });
  const data = await seedConsole(service);
  core.set(data.companyId, { modules: MODULES, accessPolicyMode: 'LEGACY', name: 'Northwind Freight' });
  const stop = async (): Promise<void> => {
    await service.stop();
    await core.stop();
  };
  return { service, ...data, stop };
}

async function seedConsole(service: TestService): Promise<ConsoleData> {
  const companyId = randomUUID();
  const members: TestUser[] = [];
  for (const [fullName, email] of PEOPLE) members.push(await service.createUser({ fullName, email }));
  const [superadmin, , moderator] = await seedStaff(service);
  const waiting: TestUser[] = [];
  for (const [fullName, email] of APPLICANTS)
    waiting.push(await service.createUser({ fullName, email, approval: 'PENDING' }));
  await service.createUser({ fullName: 'Eve Mallory', email: 'eve@mallory.example', approval: 'REJECTED' });
  await service.createUser({ fullName: 'Sam Idle', email: 'sam.idle@fabrikam.example', active: false });
  await spreadOverTime(service);
  await signInFromDevices(service, members.slice(0, 7));
  await seedMember(service, members[0]!, companyId);
  for (const { id } of members.slice(1, 5))
    await insertMembership(service.sql, { userId: id, companyId, moduleGrants: ['invoices'] });
  await seedInvitations(service, companyId, superadmin!.id);
  await seedMails(service);
  return { companyId, superadmin: superadmin!, moderator: moderator!, member: members[0]!, waiting };
}

async function seedStaff(service: TestService): Promise<TestUser[]> {
  const staff: TestUser[] = [];
  for (const [fullName, email, role] of STAFF)
    staff.push(await service.createUser({ fullName, email, role }));
  return staff;
}

/** Users who came one after the other, not all at once. */
const spreadOverTime = ({ sql }: TestService): Promise<unknown> =>
  sql(`UPDATE users SET created_at = now() - place * interval '7 hours'
       FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM users) AS placed
       WHERE placed.id = users.id`);

async function signInFromDevices(service: TestService, members: readonly TestUser[]): Promise<void> {
  for (const [index, { email, password }] of members.entries()) {
    const device = calledFrom(service, DEVICES[index % DEVICES.length]!);
    await device.api('POST', '/auth/login', { body: { email, password } });
  }
  const device = calledFrom(service, DEVICES[2]!);
  await device.api('POST', '/auth/login', {
    body: { email: members[1]!.email, password: 'a wrong password' },
  });
}

async function seedMember(service: TestService, member: TestUser, companyId: string): Promise<void> {
  const { email, password, id } = member;
  const phone = calledFrom(service, DEVICES[1]!);
  await phone.api('POST', '/auth/login', { body: { email, password } });
  await service.machine('POST', `/internal/admin/users/${id}/revoke-all`);
  for (const device of DEVICES.slice(0, 2))
    await calledFrom(service, device).api('POST', '/auth/login', { body: { email, password } });
  await enrolFactor(service.sql, id);
  await insertPasskey(service.sql, id, 'MacBook Pro');
  await insertMembership(service.sql, {
    userId: id,
    companyId,
    role: 'ADMIN',
    moduleGrants: ['invoices', 'payroll'],
    permissionGrants: ['invoices:approve', 'payroll:read'],
  });
}

const NO_DELEGATION = JSON.stringify({
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
});

async function seedInvitations({ sql }: TestService, companyId: string, inviter: string): Promise<void> {
  const rows = [
    ['hanna.vogt@contoso.example', 'ADMIN', 'PENDING', '6 days'],
    ['luis.ortega@contoso.example', 'MEMBER', 'PENDING', '2 days'],
    ['old.friend@contoso.example', 'MEMBER', 'EXPIRED', '-3 days'],
  ];
  for (const [email, role, status, expires] of rows)
    await sql(
      `INSERT INTO invitations (id, company_id, email, role, status, invited_by_user_id, expires_at, last_sent_at, delegation)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, now() + $6::interval, now() - interval '1 day', $7)`,
      [companyId, email, role, status, inviter, expires, NO_DELEGATION],
    );
}

async function seedMails({ sql }: TestService): Promise<void> {
  await sql(
    `INSERT INTO mail_outbox (id, kind, recipient, status, attempts, last_error, created_at, sent_at) VALUES
     (gen_random_uuid(), 'invitation', 'hanna.vogt@contoso.example', 'SENT', 1, NULL, now() - interval '1 day', now() - interval '1 day'),
     (gen_random_uuid(), 'password_reset', 'oskar.nowak@northwind.example', 'SENT', 1, NULL, now() - interval '5 hours', now() - interval '5 hours'),
     (gen_random_uuid(), 'password_reset', 'jonas.brandt@contoso.example', 'DEAD', 8, '550 5.1.1 mailbox unavailable', now() - interval '2 hours', NULL)`,
  );
}
