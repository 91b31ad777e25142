import { describe, expect, it } from 'vitest';
import { operatorOf } from './operator.js';
import type { OsAccount } from './os-account.js';

const person: OsAccount = { username: 'ann', uid: 1001, shell: '/bin/bash', hasEntry: true };
const production = { environment: 'production', operatorName: undefined } as const;

const SHARED: [what: string, OsAccount][] = [
  ['root', { ...person, username: 'root', uid: 0 }],
  ['a second account with the rights of root', { ...person, username: 'toor', uid: 0 }],
  ['node of the Node.js images', { ...person, username: 'node', uid: 1000 }],
  ['nobody', { ...person, username: 'nobody', uid: 65_534 }],
  ['an account of the system', { ...person, username: 'www-data', uid: 33 }],
  ['an account without a login shell', { ...person, username: 'runner', shell: '/usr/sbin/nologin' }],
  ['a number without an account', { username: 'uid-20001', uid: 20_001, shell: null, hasEntry: false }],
];

describe('an operator', () => {
  it('the operator is the account of a person', () => {
    expect(operatorOf(production, undefined, person)).toEqual({ kind: 'operator', name: 'ann' });
  });

  it('--as takes precedence over the setting, and the setting over the account', () => {
    const settings = { ...production, operatorName: 'bea' };
    expect(operatorOf(settings, 'cid', person).name).toBe('cid');
    expect(operatorOf(settings, undefined, person).name).toBe('bea');
  });

  it.each(SHARED)('the operator must be named in production if the account is %s', (_what, account) => {
    expect(() => operatorOf(production, undefined, account)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        hint: 'Add --as <your name>, or set LATCHKEY_OPERATOR.',
      }),
    );
    expect(operatorOf(production, 'ann', account).name).toBe('ann');
    expect(operatorOf({ ...production, environment: 'test' }, undefined, account).name).toBe(
      account.username,
    );
  });
});
