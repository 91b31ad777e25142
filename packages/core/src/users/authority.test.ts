import { describe, expect, it } from 'vitest';
import { AuthError } from '../kernel/auth-error.js';
import {
  assertMayActOn,
  assertMayCreate,
  compareRoles,
  isStaff,
  mayAct,
  type UserAction,
} from './authority.js';
import { GLOBAL_ROLES, type GlobalRole } from './user.js';

const SA = 'PLATFORM_SUPERADMIN';
const PA = 'PLATFORM_ADMIN';
const PM = 'PLATFORM_MODERATOR';

const ACTIONS: UserAction[] = [
  'read',
  'approve',
  'edit',
  'change-role',
  'deactivate',
  'revoke-sessions',
  'send-mail',
  'act-for',
  'reset-factors',
  'erase',
];

/** The roles that each role reaches with each action; a missing role reaches none. */
const REACH: Record<UserAction, Partial<Record<GlobalRole, readonly GlobalRole[]>>> = {
  read: { [SA]: GLOBAL_ROLES, [PA]: GLOBAL_ROLES, [PM]: GLOBAL_ROLES },
  create: { [SA]: GLOBAL_ROLES, [PA]: ['NONE'] },
  approve: { [SA]: GLOBAL_ROLES, [PA]: ['NONE', PM], [PM]: ['NONE'] },
  edit: { [SA]: GLOBAL_ROLES, [PA]: ['NONE', PM] },
  'change-role': { [SA]: GLOBAL_ROLES },
  deactivate: { [SA]: GLOBAL_ROLES, [PA]: ['NONE', PM] },
  'revoke-sessions': { [SA]: GLOBAL_ROLES, [PA]: ['NONE', PM] },
  'send-mail': { [SA]: GLOBAL_ROLES, [PA]: ['NONE', PM] },
  'act-for': { [SA]: ['NONE', PA, PM], [PA]: ['NONE', PM] },
  'reset-factors': { [SA]: GLOBAL_ROLES },
  erase: { [SA]: GLOBAL_ROLES },
  operate: { [SA]: GLOBAL_ROLES, [PA]: GLOBAL_ROLES },
};

const isAllowed = (decide: () => void): boolean => {
  try {
    decide();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ code: 'forbidden' });
    return false;
  }
};

describe.each(ACTIONS)('the action %s', (action) => {
  it.each(GLOBAL_ROLES)('%s reaches exactly the users of the role table', (role) => {
    const reached = GLOBAL_ROLES.filter((target) =>
      isAllowed(() =>
        assertMayActOn({ id: 'me', globalRole: role }, action, { id: 'you', globalRole: target }),
      ),
    );
    expect(reached).toEqual(REACH[action][role] ?? []);
  });
});

it.each(GLOBAL_ROLES)('%s creates exactly the roles of the role table', (role) => {
  const created = GLOBAL_ROLES.filter((wanted) => isAllowed(() => assertMayCreate(role, wanted)));
  expect(created).toEqual(REACH.create[role] ?? []);
});

describe('upon themselves', () => {
  const upon = (role: GlobalRole, action: UserAction) => () => {
    const self = { id: 'me', globalRole: role };
    assertMayActOn(self, action, self);
  };

  it.each(['approve', 'change-role', 'deactivate', 'act-for'] as const)(
    'a user may not %s themselves',
    (action) => {
      for (const role of GLOBAL_ROLES) expect(isAllowed(upon(role, action))).toBe(false);
    },
  );

  it('only superadmins edit themselves through the staff routes, the others have a route for it', () => {
    expect(GLOBAL_ROLES.filter((role) => isAllowed(upon(role, 'edit')))).toEqual([SA]);
  });
});

it('a role may act if the role table has a row for it', () => {
  for (const action of [...ACTIONS, 'create', 'operate'] as const) {
    expect(GLOBAL_ROLES.filter((role) => mayAct(role, action))).toEqual(
      GLOBAL_ROLES.filter((role) => REACH[action][role] !== undefined),
    );
  }
});

it('every user with a platform role is staff', () => {
  expect(GLOBAL_ROLES.filter(isStaff)).toEqual([SA, PA, PM]);
});

describe('a change of role', () => {
  it.each([
    ['NONE', PM, ['read', 'approve'], []],
    [PM, 'NONE', [], ['read', 'approve']],
    [PA, SA, ['change-role', 'reset-factors', 'erase'], []],
    [PM, PA, ['create', 'edit', 'deactivate', 'revoke-sessions', 'send-mail', 'act-for', 'operate'], []],
    [SA, SA, [], []],
  ] as const)('a change of role from %s to %s adds %j and removes %j', (from, to, gained, lost) => {
    expect(compareRoles(from, to)).toEqual({ gained, lost });
  });
});
