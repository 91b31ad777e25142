import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModuleRule } from '../memberships/membership.js';
import {
  claimOfMember,
  effectiveModules,
  explainModules,
  judgeModule,
  type ModuleClaim,
} from './effective-modules.js';
import { ACCESS_POLICY_MODES, type AccessPolicyMode, type Entitlements } from './entitlements.js';

type Rule = Pick<ModuleRule, 'moduleKey' | 'effect'>;

const entitledTo = (accessPolicyMode: AccessPolicyMode, ...modules: string[]): Entitlements => ({
  modules: new Set(modules),
  accessPolicyMode,
  permissions: undefined,
  requireSecondFactor: false,
});

const member = (role: string, moduleGrants: string[], rules: Rule[] = []): ModuleClaim =>
  claimOfMember({ role, isActive: true, moduleGrants }, rules);

const grant = (moduleKey: string): Rule => ({ moduleKey, effect: 'GRANT' });
const deny = (moduleKey: string): Rule => ({ moduleKey, effect: 'DENY' });

const PLATFORM: ModuleClaim = { kind: 'platform' };

describe('a company that is entitled to a, b and c', () => {
  it.each<[AccessPolicyMode, string, ModuleClaim, string[]]>([
    ['ENFORCED', 'a member without rules holds nothing', member('MEMBER', []), []],
    ['ENFORCED', 'the grant list does not count', member('MEMBER', ['a']), []],
    ['ENFORCED', 'granted modules are held', member('MEMBER', [], [grant('b'), grant('a')]), ['a', 'b']],
    ['ENFORCED', 'a deny wins over grants', member('MEMBER', [], [grant('a'), deny('a'), grant('b')]), ['b']],
    ['ENFORCED', 'a stale grant has no effect', member('MEMBER', [], [grant('z'), grant('c')]), ['c']],
    [
      'ENFORCED',
      'an ADMIN holds everything, denied or not',
      member('ADMIN', ['a'], [deny('b')]),
      ['a', 'b', 'c'],
    ],
    [
      'ENFORCED',
      'so does a TENANT_SUPERADMIN',
      member('TENANT_SUPERADMIN', [], [deny('a')]),
      ['a', 'b', 'c'],
    ],
    ['ENFORCED', 'other roles are members', member('ADMINISTRATOR', []), []],
    ['LEGACY', 'an empty grant list restricts no member', member('MEMBER', []), ['a', 'b', 'c']],
    ['LEGACY', 'a grant list restricts', member('MEMBER', ['c', 'a']), ['a', 'c']],
    ['LEGACY', 'a list of stale grants only leaves nothing', member('MEMBER', ['z']), []],
    ['LEGACY', 'a grant list binds an ADMIN too', member('ADMIN', ['b']), ['b']],
    ['LEGACY', 'and a TENANT_SUPERADMIN', member('TENANT_SUPERADMIN', ['b']), ['b']],
    ['LEGACY', 'rules do not count', member('MEMBER', ['a', 'b'], [deny('a'), grant('c')]), ['a', 'b']],
    ['SHADOW', 'the grant list decides', member('MEMBER', ['a'], [grant('b'), deny('a')]), ['a']],
    ['SHADOW', 'an empty grant list restricts no member', member('MEMBER', [], [deny('a')]), ['a', 'b', 'c']],
    ['ENFORCED', 'an administrator of the platform holds everything', PLATFORM, ['a', 'b', 'c']],
    ['LEGACY', 'an administrator of the platform holds everything', PLATFORM, ['a', 'b', 'c']],
  ])('modules under %s: %s', (mode, _fact, claim, expected) => {
    expect(effectiveModules(claim, entitledTo(mode, 'c', 'a', 'b'))).toEqual(expected);
  });
});

it('an inactive administrator has no rights of an administrator', () => {
  const claim = claimOfMember({ role: 'ADMIN', isActive: false, moduleGrants: [] }, []);
  expect(effectiveModules(claim, entitledTo('ENFORCED', 'a'))).toEqual([]);
});

describe('the reasons', () => {
  it('an explanation names every module that is entitled, granted or denied', () => {
    const claim = member('MEMBER', ['old'], [grant('a'), deny('b'), grant('gone'), deny('gone-too')]);
    expect(explainModules(claim, entitledTo('ENFORCED', 'a', 'b', 'c'))).toEqual([
      { moduleKey: 'a', isEffective: true, reason: 'granted' },
      { moduleKey: 'b', isEffective: false, reason: 'denied' },
      { moduleKey: 'c', isEffective: false, reason: 'not_granted' },
      { moduleKey: 'gone', isEffective: false, reason: 'not_entitled' },
      { moduleKey: 'gone-too', isEffective: false, reason: 'not_entitled' },
      { moduleKey: 'old', isEffective: false, reason: 'not_entitled' },
    ]);
  });

  it.each<[ModuleClaim, AccessPolicyMode, string]>([
    [PLATFORM, 'ENFORCED', 'platform_role'],
    [member('ADMIN', []), 'ENFORCED', 'company_role'],
    [member('ADMIN', []), 'LEGACY', 'no_restriction'],
    [member('MEMBER', ['a']), 'SHADOW', 'granted'],
    [member('MEMBER', ['b']), 'LEGACY', 'not_granted'],
  ])('the reason for the claim %j under %s is %s', (claim, mode, reason) => {
    expect(judgeModule('a', claim, entitledTo(mode, 'a')).reason).toBe(reason);
  });
});

describe('whatever was granted and denied', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor', '__proto__');
  const keys = fc.array(key, { maxLength: 8 });
  const rules = fc.array(fc.record({ moduleKey: key, effect: fc.constantFrom('GRANT', 'DENY') }));
  const memberClaim = fc
    .tuple(fc.constantFrom('MEMBER', 'ADMIN', 'TENANT_SUPERADMIN'), keys, rules)
    .map(([role, grants, list]) => member(role, grants, list));
  const claim = fc.oneof(memberClaim, fc.constant(PLATFORM));
  const entitlements = fc
    .tuple(fc.constantFrom(...ACCESS_POLICY_MODES), keys)
    .map(([mode, modules]) => entitledTo(mode, ...modules));

  it('an effective module is always entitled', () => {
    fc.assert(
      fc.property(claim, entitlements, (claim, entitlements) => {
        const modules = effectiveModules(claim, entitlements);
        expect(modules.filter((moduleKey) => !entitlements.modules.has(moduleKey))).toEqual([]);
      }),
    );
  });

  it('the effective modules are sorted, unique and the same as in the explanation', () => {
    fc.assert(
      fc.property(claim, entitlements, (claim, entitlements) => {
        const modules = effectiveModules(claim, entitlements);
        expect(modules).toEqual([...new Set(modules)].toSorted());
        const explained = explainModules(claim, entitlements).filter(({ isEffective }) => isEffective);
        expect(explained.map(({ moduleKey }) => moduleKey)).toEqual(modules);
      }),
    );
  });

  it('a further deny never adds a module, and a lost entitlement only removes it', () => {
    fc.assert(
      fc.property(keys, rules, key, entitlements, (grants, list, changed, entitlements) => {
        const before = effectiveModules(member('MEMBER', grants, list), entitlements);
        const denied = effectiveModules(member('MEMBER', grants, [...list, deny(changed)]), entitlements);
        expect(denied.filter((moduleKey) => !before.includes(moduleKey))).toEqual([]);
        const modules = new Set([...entitlements.modules].filter((moduleKey) => moduleKey !== changed));
        const lost = effectiveModules(member('MEMBER', grants, list), { ...entitlements, modules });
        expect(lost).toEqual(before.filter((moduleKey) => moduleKey !== changed));
      }),
    );
  });
});
