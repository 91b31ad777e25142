import { describe, expect, it } from 'vitest';
import { FACTOR_NAMES } from '../kernel/observer.js';
import { FactorPolicy } from '../second-factor/factor-policy.js';
import { secondFactorParts } from '../second-factor/parts.js';
import { stepUpInput } from '../step-up/step-up-schema.js';
import { Database } from '../storage/database.js';
import type { FactorKind } from './factor-kind.js';
import { secondFactorInput } from './factor-schema.js';
import { RecoveryCodeRepository } from './kinds/recovery-code/recovery-code-repository.js';
import { TotpRepository } from './kinds/totp/totp-repository.js';

/** Nothing connects: the kinds are only looked at. */
const database = new Database({ url: 'postgres://localhost/none', poolMax: 1, preparedStatements: true });
const kinds = secondFactorParts.factorKinds({
  totp: new TotpRepository(database),
  recoveryCodes: new RecoveryCodeRepository(database),
});

describe('the kinds of second factors', () => {
  it('every name has one kind', () => {
    expect(kinds.map(({ name }) => name)).toEqual([...FACTOR_NAMES]);
  });

  it('each has a field of its own in the requests of sign-in and step-up', () => {
    const fields = kinds.map(({ field }) => field);
    expect(new Set(fields).size).toBe(kinds.length);
    expect(Object.keys(secondFactorInput.shape)).toEqual(['challenge', ...fields, 'trustDevice']);
    expect(Object.keys(stepUpInput.shape)).toEqual(['password', ...fields, 'credential', 'external']);
  });

  it('one that can be guessed is never a backup, which is accepted while codes have to wait', () => {
    const backups: readonly FactorKind[] = kinds.filter(({ isBackup }) => isBackup);
    expect(backups.filter(({ isGuessable }) => isGuessable)).toEqual([]);
  });
});

describe('the policy knows kinds by their properties alone', () => {
  const policyOf = (mode: 'optional' | 'off') =>
    new FactorPolicy({ mode, passkeysEnabled: true, trustedDeviceDays: 0, kinds });
  const state = (totp: number, recovery_code: number, passkey: number) => ({
    factorVersion: 1,
    counts: { totp, recovery_code, passkey },
    wrongCodes: 0,
  });

  it.each([
    ['nothing', state(0, 0, 0), []],
    ['an app', state(1, 0, 0), ['totp']],
    ['an app with a backup', state(1, 3, 0), ['totp', 'recovery_code']],
    ['a backup without an app', state(0, 3, 0), []],
    ['a passkey and a backup without an app', state(0, 3, 1), ['passkey']],
    ['all', state(2, 3, 1), ['totp', 'recovery_code', 'passkey']],
  ])('%s offers exactly what proves a second factor', (_what, counted, methods) => {
    expect(policyOf('optional').methodsOf(counted)).toEqual(methods);
    expect(policyOf('optional').hasFactor(counted)).toBe(methods.length > 0);
  });

  it('while second factors are off no code is offered, and a passkey is', () => {
    expect(policyOf('off').methodsOf(state(1, 3, 1))).toEqual(['passkey']);
  });

  it('a backup alone requires no second factor of a user who chose none', () => {
    const user = { globalRole: 'NONE' } as const;
    expect(policyOf('optional').needsSecondFactor(user, state(0, 3, 0))).toBe(false);
    expect(policyOf('optional').needsSecondFactor(user, state(1, 0, 0))).toBe(true);
  });
});
