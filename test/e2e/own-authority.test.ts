import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import type { SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const FORBIDDEN = { status: 403, code: 'forbidden' };

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await startTestService();
  company = new TestCompany(service);
});
afterAll(() => service.stop());

/** Actors who can write to the company's memberships, their own among them. */
const EDITORS = [
  ['a company ADMIN', { role: 'ADMIN' }],
  ['a TENANT_SUPERADMIN', { role: 'TENANT_SUPERADMIN' }],
  ['a platform administrator who is ADMIN', { role: 'ADMIN', user: { role: 'PLATFORM_ADMIN' } }],
  ['a platform superadmin', { user: { role: 'PLATFORM_SUPERADMIN' } }],
] as const;

/** A member with some authority in the company and its unit. */
async function editorWith(place: (typeof EDITORS)[number][1]): Promise<SignedInTestUser> {
  const editor = await company.member({ ...place, unit: company.unit });
  await company.upsert({
    userId: editor.id,
    approvalLimit: '100',
    moduleGrants: ['events', 'billing'],
    permissionGrants: ['bill.read'],
    delegation: { canBuyAddons: true, grantableModules: ['events'] },
    moduleRules: [{ moduleKey: 'tickets', effect: 'DENY', source: 'TEAM' }],
  });
  await finance(editor, { financeRole: 'SUBMITTER', approvalLimit: '100' }, 'machine');
  await unitFinance(editor, { financeRole: 'SUBMITTER', approvalLimit: '100' }, 'machine');
  return editor;
}

type By = 'self' | 'machine';

interface Patch {
  method: string;
  path: string;
  body: object;
}

const send = (member: SignedInTestUser, { method, path, body }: Patch, by: By): Promise<Answer> =>
  by === 'self'
    ? company.bearer(member.token, method, path, body)
    : company.machine(method, path, body, { 'x-actor-user-id': member.id });

const patchOf =
  (pathOf: () => string): Write =>
  (member, body, by = 'self') =>
    send(member, { method: 'PATCH', path: `${pathOf()}/${member.id}`, body }, by);

const finance = patchOf(() => '/finance-memberships');
const limit = patchOf(() => '/company-approval-limit');
const unitFinance = patchOf(() => `/business-units/${company.unit}/finance-memberships`);
const upsert: Write = (member, body, by = 'self') =>
  send(member, { method: 'POST', path: '/memberships', body: { userId: member.id, ...body } }, by);

type Write = (member: SignedInTestUser, body: object, by?: By) => Promise<Answer>;

const RAISES: [string, Write, object][] = [
  ['finance role', finance, { financeRole: 'APPROVER' }],
  ['approval limit', finance, { approvalLimit: '100.01' }],
  ['primary flag', finance, { isPrimaryFinanceAdmin: true }],
  ['approval limit, by its own route', limit, { approvalLimit: null }],
  ['finance role in a unit', unitFinance, { financeRole: 'APPROVER' }],
  ['approval limit in a unit', unitFinance, { approvalLimit: null }],
  ['primary flag in a unit', unitFinance, { isPrimaryApprover: true, financeRole: 'APPROVER' }],
  ['approval limit, by an upsert', upsert, { approvalLimit: '101' }],
  ['module grants', upsert, { moduleGrants: ['events', 'billing', 'payroll'] }],
  ['module grants, by giving up the last', upsert, { moduleGrants: [] }],
  ['permissions', upsert, { permissionGrants: ['bill.read', 'bill.pay'] }],
  ['delegation', upsert, { delegation: { canManageUsers: true } }],
  ['rules, by leaving out a DENY', upsert, { moduleRules: [] }],
  [
    'rules, by adding a GRANT',
    upsert,
    { moduleRules: [{ moduleKey: 'payroll', effect: 'GRANT', source: 'TEAM' }] },
  ],
];

describe.each(EDITORS)('%s', (_who, place) => {
  it('an actor cannot raise their own authority, and nothing is written', async () => {
    const editor = await editorWith(place);
    const before = [await company.rows(), await company.rules(editor.id), await company.audit()];
    for (const [what, write, body] of RAISES) {
      expect(await write(editor, body), what).toMatchObject(FORBIDDEN);
    }
    expect([await company.rows(), await company.rules(editor.id), await company.audit()]).toEqual(before);
  });

  it('an actor can lower their own authority', async () => {
    const editor = await editorWith(place);
    const answers = [
      await upsert(editor, {
        approvalLimit: '50',
        moduleGrants: ['events'],
        permissionGrants: [],
        delegation: { canBuyAddons: false, grantableModules: [] },
      }),
      await limit(editor, { approvalLimit: '49' }),
      await finance(editor, { financeRole: null, approvalLimit: '1', isPrimaryFinanceAdmin: false }),
      await unitFinance(editor, { financeRole: null, approvalLimit: '1' }),
    ];
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(
      Array(4).fill([200, '']),
    );
  });

  it('an actor can raise another member', async () => {
    const editor = await editorWith(place);
    const other = await company.member();
    const path = `/finance-memberships/${other.id}`;
    const raised = await company.bearer(editor.token, 'PATCH', path, {
      financeRole: 'APPROVER',
      approvalLimit: '7',
    });
    expect(raised).toMatchObject({ status: 200, data: { financeRole: 'APPROVER', approvalLimit: '7' } });
  });
});

it('a machine can raise the actor in whose name it writes', async () => {
  const editor = await editorWith({ role: 'ADMIN' });
  for (const [what, write, body] of RAISES) {
    expect(await write(editor, body, 'machine'), what).toMatchObject({ status: 200 });
  }
});

it('an administrator does not become an approver again by leaving a unit and coming back', async () => {
  const editor = await editorWith({ role: 'ADMIN' });
  const other = await company.member({ role: 'TENANT_SUPERADMIN' });
  const path = `/business-units/${company.unit}/memberships`;
  await unitFinance(editor, { financeRole: 'APPROVER', approvalLimit: null }, 'machine');
  const ended = await company.bearer(other.token, 'POST', path, { userId: editor.id, isActive: false });
  expect(ended.data).toMatchObject({ isActive: false, financeRole: null, approvalLimit: null });
  const back = await company.bearer(editor.token, 'POST', path, { userId: editor.id, isActive: true });
  expect(back.data).toMatchObject({ isActive: true, financeRole: null, isPrimaryApprover: false });
});
