import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { may, mayOn, type Action, type Role } from '../../packages/pages/src/browser/console/rights.js';
import type { Answer } from '../support/api-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import type { NewTestUser } from '../support/test-users.js';

const ROLES: readonly Role[] = ['NONE', 'PLATFORM_MODERATOR', 'PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'];
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

type Call = readonly [method: string, path: string, body?: object];

/** What the console sends for each action on a user. */
const ON_USERS: Partial<Record<Action, { target?: NewTestUser; calls: (id: string) => Call[] }>> = {
  read: {
    calls: (id) =>
      ['', '/context', '/sessions', '/passkeys', '/factors', '/api-keys'].map((part) => [
        'GET',
        `/internal/users/${id}${part}`,
      ]),
  },
  approve: {
    target: { approval: 'PENDING' },
    calls: (id) => [['PATCH', `/internal/users/${id}`, { approvalStatus: 'APPROVED', isActive: true }]],
  },
  edit: { calls: (id) => [['PATCH', `/internal/users/${id}`, { fullName: 'Another Name' }]] },
  'change-role': {
    calls: (id) => [['PATCH', `/internal/users/${id}`, { globalRole: 'PLATFORM_MODERATOR', fullName: 'X' }]],
  },
  deactivate: {
    calls: (id) => [
      ['PATCH', `/internal/users/${id}`, { approvalStatus: 'REJECTED' }],
      ['DELETE', `/internal/users/${id}`],
    ],
  },
  'revoke-sessions': {
    calls: (id) => [
      ['DELETE', `/internal/users/${id}/api-keys/${UNKNOWN}`],
      ['POST', `/internal/users/${id}/revoke-all`],
    ],
  },
  'send-mail': {
    calls: (id) => [
      ['POST', `/internal/users/${id}/password-reset`],
      ['POST', `/internal/users/${id}/email-verification`],
    ],
  },
  'act-for': { calls: (id) => [['POST', `/internal/users/${id}/acting-codes`, { reason: 'asked' }]] },
  'reset-factors': {
    calls: (id) => [
      ['DELETE', `/internal/users/${id}/passkeys/${UNKNOWN}`],
      ['DELETE', `/internal/users/${id}/factors`, { reason: 'lost' }],
    ],
  },
  erase: { calls: (id) => [['DELETE', `/internal/users/${id}/personal-data`, { reason: 'asked for it' }]] },
};

/** What it sends for actions that concern no existing user. */
const OF_SERVICE: Partial<Record<Action, Call[]>> = {
  read: [
    ['GET', '/internal/users?limit=1'],
    ['GET', '/internal/sessions?limit=1'],
    ['GET', '/internal/session-stats'],
  ],
  operate: [
    ['GET', '/internal/activity'],
    ['GET', '/internal/audit-logs?limit=1'],
    ['GET', '/internal/audit-logs?limit=1&tail=true'],
    ['GET', '/internal/mail?limit=1'],
    ['POST', `/internal/mail/${UNKNOWN}/retry`],
    ['GET', '/internal/invitations?limit=1'],
    ['GET', '/internal/health'],
    ['GET', '/internal/webhooks'],
    ['POST', `/internal/webhooks/${UNKNOWN}/test`],
    ['GET', `/internal/companies/${UNKNOWN}/webhooks`],
    ['DELETE', `/internal/companies/${UNKNOWN}/webhooks/${UNKNOWN}`],
    ['GET', `/internal/companies/${UNKNOWN}/api-keys`],
    ['DELETE', `/internal/companies/${UNKNOWN}/api-keys/${UNKNOWN}`],
  ],
};

const CASES = (Object.keys(ON_USERS) as Action[]).flatMap((action) =>
  ROLES.map((role) => [action, role] as const),
);

describe('the rights that the console knows', () => {
  let service: TestService;
  let actors: Record<Role, SignedInTestUser>;
  beforeAll(async () => {
    service = await startTestService({ env: { STAFF_ACTING: 'on' } });
    const made = [];
    for (const role of ROLES) made.push([role, await signedInUser(service, { role })] as const);
    actors = Object.fromEntries(made) as Record<Role, SignedInTestUser>;
  });
  afterAll(() => service.stop());

  const send = (role: Role, [method, path, body]: Call): Promise<Answer> =>
    service.api(method, path, { token: actors[role].token, ...(body && { body }) });

  /** Another failure, such as 409, comes after the decision about the right. */
  /** Companies are hidden from users outside of them. */
  const isRefused = async (role: Role, call: Call): Promise<boolean> => {
    const { status, message = '' } = await send(role, call);
    return status === 403 || (status === 404 && message.startsWith('The company'));
  };

  it.each(CASES)('the service allows %s to %s on the same users as the console', async (action, role) => {
    const { target, calls } = ON_USERS[action]!;
    for (const targetRole of ROLES) {
      const user = await service.createUser({ ...target, role: targetRole });
      const isAllowed = mayOn({ id: 'actor', globalRole: role }, action, {
        id: user.id,
        globalRole: targetRole,
      });
      for (const call of calls(user.id)) {
        expect(await isRefused(role, call), `${call[0]} ${call[1]} of ${targetRole}`).toBe(!isAllowed);
      }
    }
  });

  it.each(ROLES)('the service opens lists and operations to %s as the console does', async (role) => {
    for (const [action, calls] of Object.entries(OF_SERVICE) as [Action, Call[]][])
      for (const call of calls)
        expect(await isRefused(role, call), `${call[0]} ${call[1]}`).toBe(!may({ globalRole: role }, action));
    const create: Call = ['POST', '/internal/users', { email: `new-${role.toLowerCase()}@example.com` }];
    expect(await isRefused(role, create)).toBe(!may({ globalRole: role }, 'create'));
  });

  it.each(ROLES.slice(1))(
    '%s cannot decide about themselves, in the console and by a forged request',
    async (role) => {
      const { id } = actors[role];
      const self = { id, globalRole: role };
      const own: [Action, Call][] = [
        ['change-role', ['PATCH', `/internal/users/${id}`, { globalRole: 'NONE' }]],
        ['approve', ['PATCH', `/internal/users/${id}`, { approvalStatus: 'PENDING' }]],
        ['deactivate', ['DELETE', `/internal/users/${id}`]],
        ['act-for', ['POST', `/internal/users/${id}/acting-codes`, { reason: 'mine' }]],
        ['reset-factors', ['DELETE', `/internal/users/${id}/factors`, { reason: 'mine' }]],
        ['erase', ['DELETE', `/internal/users/${id}/personal-data`, { reason: 'mine' }]],
      ];
      for (const [action, call] of own) {
        expect(mayOn(self, action, self), action).toBe(false);
        expect(await isRefused(role, call), `${call[0]} ${call[1]}`).toBe(true);
      }
    },
  );
});
