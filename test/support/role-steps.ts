import fc from 'fast-check';
import type { RoleOfModel, RoleStep } from './role-model.js';

const ROLES = ['MEMBER', 'ACCOUNTANT', 'READER'];
const some = (...keys: string[]) => fc.subarray(keys);

const contents: fc.Arbitrary<RoleOfModel> = fc.record({
  modules: some('a', 'b', 'c', 'd'),
  permissions: some('p', 'q'),
});

const scope = { of: fc.constantFrom('own' as const, 'template' as const), key: fc.constantFrom(...ROLES) };

/** Random sequences of changes that concern one member of a company. */
export const roleSteps: fc.Arbitrary<RoleStep[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('define' as const), ...scope, role: contents }),
    fc.record(
      { kind: fc.constant('remove' as const), ...scope, moveTo: fc.constantFrom(...ROLES) },
      { requiredKeys: ['kind', 'of', 'key'] },
    ),
    fc.record({
      kind: fc.constant('grant' as const),
      modules: some('a', 'b', 'd'),
      permissions: some('p', 'r'),
    }),
    fc.record({ kind: fc.constant('deny' as const), modules: some('a', 'b') }),
    fc.record({ kind: fc.constant('join' as const), role: fc.constantFrom(...ROLES) }),
    fc.record({ kind: fc.constant('entitle' as const), modules: some('a', 'b', 'c') }),
    fc.record({
      kind: fc.constant('mode' as const),
      mode: fc.constantFrom('LEGACY' as const, 'SHADOW' as const, 'ENFORCED' as const),
    }),
  ),
  { minLength: 1, maxLength: 12 },
);
