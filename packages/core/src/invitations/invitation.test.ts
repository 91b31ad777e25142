import { describe, expect, it } from 'vitest';
import type { CompanyMembership, Delegation } from '../memberships/membership.js';
import type { GlobalRole } from '../users/user.js';
import { INVITATION_STATUSES } from './invitation-status.js';
import {
  companyNameOf,
  assertChangeable,
  assertMayOffer,
  assertOpen,
  mayInvite,
  settleOffer,
  type Inviter,
  type Offer,
} from './invitation.js';

const NONE: Delegation = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

const inviter = (role: string, delegation: Partial<Delegation> = {}, isActive = true): Inviter => ({
  userId: 'inviter',
  globalRole: 'NONE',
  membership: { role, isActive, delegation: { ...NONE, ...delegation } } as CompanyMembership,
});
const staff = (globalRole: GlobalRole): Inviter => ({
  userId: 'inviter',
  globalRole,
  membership: undefined,
});
const delegate = inviter('MEMBER', {
  canManageUsers: true,
  grantableModules: ['a', 'b'],
  grantablePermissions: ['p'],
});

const offer = (fields: Partial<Offer> = {}): Offer => ({
  role: 'MEMBER',
  moduleGrants: ['a'],
  permissionGrants: [],
  delegation: NONE,
  ...fields,
});
const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};
const isAllowed = (who: Inviter, what: Offer): boolean => passes(() => assertMayOffer(who, what));

describe('who may invite', () => {
  it.each([
    ['a superadmin of the platform', staff('PLATFORM_SUPERADMIN'), true],
    ['an admin of the platform', staff('PLATFORM_ADMIN'), true],
    ['a moderator', staff('PLATFORM_MODERATOR'), false],
    ['a stranger', staff('NONE'), false],
    ['a TENANT_SUPERADMIN', inviter('TENANT_SUPERADMIN'), true],
    ['an ADMIN', inviter('ADMIN'), true],
    ['a former ADMIN', inviter('ADMIN', {}, false), false],
    ['a member', inviter('MEMBER'), false],
    ['a delegate', delegate, true],
    ['a former delegate', inviter('MEMBER', { canManageUsers: true }, false), false],
    ['a member who may only buy', inviter('MEMBER', { canBuyAddons: true }), false],
  ])('mayInvite decides for %s', (_who, person, expected) => {
    expect(mayInvite(person)).toBe(expected);
  });
});

describe('what may be offered', () => {
  const everything = offer({
    role: 'TENANT_SUPERADMIN',
    moduleGrants: [],
    permissionGrants: ['x'],
    delegation: { ...NONE, canManageUsers: true, grantableModules: ['x'] },
  });

  it('a TENANT_SUPERADMIN and administrators of the platform may offer anything', () => {
    const people = [inviter('TENANT_SUPERADMIN'), staff('PLATFORM_SUPERADMIN'), staff('PLATFORM_ADMIN')];
    expect(people.map((person) => isAllowed(person, everything))).toEqual([true, true, true]);
  });

  it('an ADMIN may offer anything but a TENANT_SUPERADMIN', () => {
    expect(isAllowed(inviter('ADMIN'), everything)).toBe(false);
    expect(isAllowed(inviter('ADMIN'), { ...everything, role: 'ADMIN' })).toBe(true);
  });

  it.each<[string, Partial<Offer>, boolean]>([
    ['some of their modules and permissions', { permissionGrants: ['p'] }, true],
    ['all of their modules', { moduleGrants: ['b', 'a'] }, true],
    ['another role', { role: 'ADMIN' }, false],
    ['a foreign module', { moduleGrants: ['a', 'c'] }, false],
    ['a foreign permission', { permissionGrants: ['q'] }, false],
    ['no module, which could mean all', { moduleGrants: [] }, false],
    ['a delegation', { delegation: { ...NONE, canManageUsers: true } }, false],
    ['something to grant', { delegation: { ...NONE, grantablePermissions: ['p'] } }, false],
  ])('the offer of a delegate is checked for %s', (_what, fields, expected) => {
    expect(isAllowed(delegate, offer(fields))).toBe(expected);
  });

  it('without a list of modules, a delegate offers all grantable ones and an administrator none', () => {
    const wanted = { role: 'MEMBER', permissionGrants: [], delegation: NONE };
    expect(settleOffer(delegate, wanted).moduleGrants).toEqual(['a', 'b']);
    expect(settleOffer(inviter('ADMIN', { grantableModules: ['a'] }), wanted).moduleGrants).toEqual([]);
    expect(settleOffer(delegate, { ...wanted, moduleGrants: [] }).moduleGrants).toEqual([]);
  });
});

it('only a pending invitation is open; an expired one can still be changed', () => {
  const open = INVITATION_STATUSES.filter((status) => passes(() => assertOpen({ status })));
  const changeable = INVITATION_STATUSES.filter((status) => passes(() => assertChangeable({ status })));
  expect(open).toEqual(['PENDING']);
  expect(changeable).toEqual(['PENDING', 'EXPIRED']);
});

describe('the name of the company', () => {
  it.each([
    'Acme',
    'Acme & Söhne GmbH (Berlin)',
    "O'Neill, Inc.",
    '株式会社ラッチキー',
    'हिन्दी प्रकाशन',
    'Nordisk Skib A/S',
    '7-Eleven',
  ])('the company name %s is taken from the metadata', (companyName) => {
    expect(companyNameOf({ metadata: { companyName } })).toBe(companyName);
  });

  it.each([
    undefined,
    null,
    7,
    '',
    ' Acme',
    'evil.example',
    'Acme https://evil.example',
    'Acme //evil.example',
    'Acme\u202eelpmaxe',
    'Acme\nBcc: all',
    '<b>Acme</b>',
    'x'.repeat(81),
  ])('%j is not a company name', (companyName) => {
    expect(companyNameOf({ metadata: { companyName } })).toBeUndefined();
  });

  it('the company name is unknown without metadata', () => {
    expect(companyNameOf({ metadata: null })).toBeUndefined();
  });
});
