import { expect, it } from 'vitest';
import { roleTime } from './company-role-schema.js';

it('the time of a definition is an instant in any zone, as times of the audit log are', () => {
  expect(roleTime.parse('2026-11-28T22:00:00+01:00')).toEqual(new Date('2026-11-28T21:00:00Z'));
  expect(() => roleTime.parse('2026-11-28')).toThrow('2026-01-31T12:00:00Z');
});
