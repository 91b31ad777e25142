import { describe, expect, it } from 'vitest';
import { GLOBAL_ROLES, type GlobalRole } from '../users/user.js';
import {
  assertMayEditMembership,
  isCompanyAdministrator,
  isPlatformAdministrator,
  mayListCompany,
  mayManageCompany,
  type MembershipEdit,
} from './company-authority.js';

const TSA = 'TENANT_SUPERADMIN';
const held = (role: string, isActive = true) => ({ role, isActive });

describe('who administers a company', () => {
  it('the active TENANT_SUPERADMIN and ADMIN administer their company, other roles do not', () => {
    const roles = [TSA, 'ADMIN', 'MEMBER', 'ADMIN_2', 'OWNER'];
    expect(roles.filter((role) => isCompanyAdministrator(held(role)))).toEqual([TSA, 'ADMIN']);
    expect(roles.filter((role) => isCompanyAdministrator(held(role, false)))).toEqual([]);
    expect(isCompanyAdministrator(undefined)).toBe(false);
  });

  it('superadmins and admins of the platform administer every company, moderators only list members', () => {
    const allowed = (may: (role: GlobalRole) => boolean) => GLOBAL_ROLES.filter(may);
    const stranger = (globalRole: GlobalRole) => ({ globalRole, membership: undefined });
    const administrators = ['PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN'];
    expect(allowed(isPlatformAdministrator)).toEqual(administrators);
    expect(allowed((role) => mayManageCompany(stranger(role)))).toEqual(administrators);
    expect(allowed((role) => mayListCompany(stranger(role)))).toEqual([
      ...administrators,
      'PLATFORM_MODERATOR',
    ]);
  });
});

describe('the memberships that an actor may change', () => {
  const edit = (change: Partial<MembershipEdit> = {}): MembershipEdit => ({
    member: { id: 'member', globalRole: 'NONE' },
    current: held('MEMBER'),
    wanted: held('MEMBER'),
    ...change,
  });
  const may = (
    globalRole: GlobalRole,
    role: string | undefined,
    wanted: MembershipEdit,
    userId = 'editor',
  ): boolean => {
    const membership = role === undefined ? undefined : held(role);
    try {
      assertMayEditMembership({ userId, globalRole, membership }, wanted);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'forbidden' });
      return false;
    }
  };

  it('an ADMIN can neither change nor make a TENANT_SUPERADMIN, active or not', () => {
    const edits = [
      edit(),
      edit({ current: undefined }),
      edit({ current: held('MEMBER', false), wanted: held('ADMIN') }),
      edit({ current: held(TSA) }),
      edit({ current: held(TSA, false) }),
      edit({ wanted: held(TSA) }),
    ];
    expect(edits.map((one) => may('NONE', 'ADMIN', one))).toEqual([true, true, true, false, false, false]);
    expect(edits.map((one) => may('NONE', TSA, one))).toEqual(edits.map(() => true));
    expect(edits.map((one) => may('NONE', 'MEMBER', one))).toEqual(edits.map(() => false));
  });

  it('platform staff change members of lower rank, and their own company as its administrators', () => {
    const peer = edit({ member: { id: 'member', globalRole: 'PLATFORM_ADMIN' } });
    expect(may('PLATFORM_ADMIN', undefined, peer)).toBe(false);
    expect(may('PLATFORM_ADMIN', 'ADMIN', peer)).toBe(true);
    expect(may('PLATFORM_SUPERADMIN', undefined, peer)).toBe(true);
    expect(may('PLATFORM_MODERATOR', undefined, edit())).toBe(false);
    expect(may('PLATFORM_ADMIN', 'ADMIN', edit({ wanted: held(TSA) }))).toBe(true);
  });

  it('a member cannot change their own role or activity, whatever their rank', () => {
    const changes = [
      edit({ current: undefined }),
      edit({ wanted: held('X') }),
      edit({ wanted: held('MEMBER', false) }),
    ];
    for (const change of changes) {
      expect(may('PLATFORM_SUPERADMIN', TSA, change, 'member')).toBe(false);
    }
    expect(may('NONE', TSA, edit(), 'member')).toBe(true);
  });
});
