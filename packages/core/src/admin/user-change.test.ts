import { describe, expect, it } from 'vitest';
import type { User } from '../users/user.js';
import { describeChange, changesStatus } from './user-change.js';

type Status = Pick<User, 'globalRole' | 'approvalStatus' | 'isActive'>;

const user = (status: Partial<Status> = {}): User => ({
  id: '01890000-0000-7000-8000-000000000001',
  email: 'ada@example.com',
  fullName: 'Ada',
  phonePrefix: null,
  phoneNumber: '',
  profilePictureUrl: null,
  locale: null,
  authProvider: 'password',
  globalRole: 'NONE',
  approvalStatus: 'APPROVED',
  isActive: true,
  tokenVersion: 1,
  legacyIds: {},
  createdAt: new Date(0),
  updatedAt: new Date(0),
  lastLoginAt: null,
  deleteAt: null,
  erasedAt: null,
  emailVerifiedAt: null,
  ...status,
});

const superadmin = user({ globalRole: 'PLATFORM_SUPERADMIN' });
const pending = user({ approvalStatus: 'PENDING', isActive: false });

describe('access tokens stop working', () => {
  it.each([
    ['with a new role', user(), { globalRole: 'PLATFORM_ADMIN' }],
    ['with a lost role', superadmin, { globalRole: 'NONE' }],
    ['with a deactivation', user(), { isActive: false }],
    ['when the approval is withdrawn', user(), { approvalStatus: 'REJECTED' }],
    ['when the approval is suspended', user(), { approvalStatus: 'PENDING' }],
  ] as const)('access tokens become invalid %s', (_when, target, patch) => {
    expect(describeChange(target, patch).raisesTokenVersion).toBe(true);
  });

  it.each([
    ['with the role they had', superadmin, { globalRole: 'PLATFORM_SUPERADMIN' }],
    ['with a new name or email', user(), { fullName: 'Eve', email: 'eve@example.com' }],
    ['with a reactivation', user({ isActive: false }), { isActive: true }],
    ['with an approval', pending, { approvalStatus: 'APPROVED', isActive: true }],
    ['with a second deactivation', user({ isActive: false }), { isActive: false }],
    ['when a pending user is rejected', pending, { approvalStatus: 'REJECTED' }],
  ] as const)('access tokens stay valid %s', (_when, target, patch) => {
    expect(describeChange(target, patch)).toMatchObject({
      raisesTokenVersion: false,
      endsSessions: undefined,
      removesSuperadmin: false,
    });
  });
});

describe('sessions end', () => {
  it.each([
    [{ isActive: false }, 'deactivated'],
    [{ approvalStatus: 'REJECTED' }, 'approval_withdrawn'],
    [{ approvalStatus: 'REJECTED', isActive: false }, 'deactivated'],
  ] as const)('sessions are revoked with %j, for the reason %s', (patch, reason) => {
    expect(describeChange(user(), patch).endsSessions).toBe(reason);
  });

  it('sessions are not revoked with a new role: a refresh returns tokens that contain it', () => {
    expect(describeChange(user(), { globalRole: 'PLATFORM_ADMIN' }).endsSessions).toBeUndefined();
  });
});

describe('a superadmin is lost', () => {
  it.each([
    { globalRole: 'PLATFORM_ADMIN' },
    { isActive: false },
    { approvalStatus: 'PENDING' },
    { approvalStatus: 'REJECTED', isActive: true },
  ] as const)('a superadmin is lost with %j', (patch) => {
    expect(describeChange(superadmin, patch).removesSuperadmin).toBe(true);
  });

  it('a superadmin is lost only if they were active and approved before', () => {
    const inactive = user({ globalRole: 'PLATFORM_SUPERADMIN', isActive: false });
    expect(describeChange(inactive, { globalRole: 'NONE' }).removesSuperadmin).toBe(false);
    const suspended = user({ globalRole: 'PLATFORM_SUPERADMIN', approvalStatus: 'PENDING' });
    expect(describeChange(suspended, { isActive: false }).removesSuperadmin).toBe(false);
  });

  it('every patch that loses a superadmin is known beforehand to change the status', () => {
    for (const patch of [
      { globalRole: 'NONE' },
      { approvalStatus: 'PENDING' },
      { isActive: false },
    ] as const) {
      expect(changesStatus(patch)).toBe(true);
    }
    expect(changesStatus({ fullName: 'Ada', email: 'a@b.de', phoneNumber: '' })).toBe(false);
  });
});

describe('the permissions a patch needs', () => {
  const inactive = user({ isActive: false });
  const rejected = user({ approvalStatus: 'REJECTED' });
  it.each([
    [user(), { fullName: 'Eve' }, ['edit']],
    [user(), { phoneNumber: '' }, ['edit']],
    [user(), { email: 'a@b.de' }, ['edit']],
    [user(), { authProvider: 'google' }, ['edit']],
    [user(), { globalRole: 'NONE' }, ['change-role']],
    [user(), { approvalStatus: 'APPROVED' }, ['approve']],
    [user(), { approvalStatus: 'REJECTED' }, ['deactivate']],
    [user(), { approvalStatus: 'PENDING' }, ['deactivate']],
    [user(), { isActive: true }, ['approve']],
    [user(), { isActive: false }, ['deactivate']],
    [user(), { fullName: undefined, isActive: true }, ['approve']],
    [inactive, { isActive: true }, ['deactivate']],
    [inactive, { approvalStatus: 'APPROVED', isActive: true }, ['approve', 'deactivate']],
    [pending, { approvalStatus: 'APPROVED', isActive: true }, ['approve']],
    [pending, { approvalStatus: 'REJECTED' }, ['approve']],
    [pending, { isActive: true }, ['approve']],
    [pending, { isActive: false }, ['deactivate']],
    [rejected, { approvalStatus: 'PENDING' }, ['approve']],
    [rejected, { approvalStatus: 'APPROVED', isActive: true }, ['approve']],
    [
      pending,
      { fullName: 'Eve', globalRole: 'NONE', approvalStatus: 'REJECTED', isActive: false },
      ['edit', 'change-role', 'approve', 'deactivate'],
    ],
  ] as const)('for the user %j the patch %j needs the permissions %j', (target, patch, actions) => {
    expect(describeChange(target, patch).actions).toEqual(actions);
  });
});

describe('the name of the audit row', () => {
  it('an approval has its own row beside that of a new role', () => {
    const patch = { globalRole: 'PLATFORM_ADMIN', approvalStatus: 'APPROVED', isActive: true } as const;
    expect(describeChange(pending, patch).events).toEqual(['user_role_changed', 'user_approved']);
  });

  it.each([
    [user(), { globalRole: 'PLATFORM_ADMIN', isActive: false }, 'user_role_changed'],
    [pending, { approvalStatus: 'APPROVED', isActive: true }, 'user_approved'],
    [pending, { approvalStatus: 'REJECTED' }, 'user_rejected'],
    [user(), { isActive: false }, 'user_deactivated'],
    [user({ isActive: false }), { isActive: true, fullName: 'Eve' }, 'user_reactivated'],
    [user(), { fullName: 'Eve' }, 'user_updated'],
    [user(), { globalRole: 'NONE', approvalStatus: 'APPROVED', isActive: true }, 'user_updated'],
  ] as const)('%#: says the weightiest thing that really changed', (target, patch, event) => {
    expect(describeChange(target, patch).events).toEqual([event]);
  });
});
