import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuthError } from './auth-error.js';
import { ERROR_CODES } from './error-code.js';
import { ERROR_REASONS } from './error-reason.js';

describe('the reasons of errors', () => {
  it('the reasons of each code begin with the code itself', () => {
    expect(Object.keys(ERROR_REASONS).toSorted()).toEqual([...ERROR_CODES].toSorted());
    for (const code of ERROR_CODES) expect(ERROR_REASONS[code][0]).toBe(code);
  });

  it('each reason belongs to one code and is written in snake_case', () => {
    const all = Object.values(ERROR_REASONS).flat();
    expect(all).toHaveLength(new Set(all).size);
    for (const reason of all) expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});

describe('an AuthError', () => {
  it('an AuthError without a reason has its code as reason', () => {
    expect(AuthError.forbidden().reason).toBe('forbidden');
    expect(AuthError.conflict('The email is taken.', 'email_taken').reason).toBe('email_taken');
  });

  it('an AuthError with a reason of another code or of none throws and says how to write one of the app', () => {
    const create = (reason: string) => () =>
      new AuthError('conflict', 'No.', { reason: reason as 'conflict' });
    expect(create('no_seats')).toThrow(TypeError);
    expect(create('no_seats')).toThrow(
      `reason: "no_seats" is no reason of conflict; write 'app.no_seats', because reasons of an app begin with app.`,
    );
    expect(create('module_missing')).toThrow(/no reason of conflict/);
    expect(create('toString')).toThrow(TypeError);
    expect(create('not one')).toThrow(/write one such as 'app\.no_seats'/);
  });

  it.each(['app.no_seats', 'app.billing.over-limit', 'app.noSeats2'] as const)(
    'an AuthError of any code has the reason %s of the app',
    (reason) => {
      for (const code of ERROR_CODES) expect(new AuthError(code, 'No.', { reason }).reason).toBe(reason);
      expect(AuthError.forbidden('No.', reason).reason).toBe(reason);
    },
  );

  it.each(['app.', 'app', 'app.no seats', 'app..x', 'xapp.no_seats', `app.${'x'.repeat(61)}`, 'app.a\nb', 7])(
    'the reason %j is none of an app: the AuthError throws TypeError',
    (reason) => {
      expect(() => new AuthError('conflict', 'No.', { reason: reason as 'conflict' })).toThrow(TypeError);
    },
  );

  it('an AuthError keeps its fields as they were given and freezes them', () => {
    const given = { pointer: '/email', reason: 'format', message: 'must be an email address' } as const;
    const list = [given];
    const { fields } = AuthError.validation('email: must be an email address', { fields: list });
    list.pop();
    expect(fields).toEqual([given]);
    expect(Object.isFrozen(fields)).toBe(true);
    expect(fields.every((field) => Object.isFrozen(field))).toBe(true);
  });

  it('an AuthError keeps its name when the build bundles it', async () => {
    const built = await bundled();
    expect(built.AuthError.name).toBe('AuthError');
    expect(built.AuthError.conflict('No.').constructor.name).toBe('AuthError');
  });
});

/** Returns the class as the build makes it from the sources. */
async function bundled(): Promise<{ AuthError: typeof AuthError }> {
  const outDir = await mkdtemp(path.join(os.tmpdir(), 'latchkey-build-'));
  onTestFinished(() => rm(outDir, { recursive: true, force: true }));
  const entry = [fileURLToPath(new URL('auth-error.ts', import.meta.url))];
  await build({ config: false, silent: true, entry, outDir, format: ['esm'], target: 'node20', dts: false });
  const [file] = await readdir(outDir);
  return (await import(pathToFileURL(path.join(outDir, file ?? '')).href)) as { AuthError: typeof AuthError };
}
