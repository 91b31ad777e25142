// npm nests a second copy of the core as soon as two packages ask for versions that exclude each other.
import { expect, it, vi } from 'vitest';
import type * as Core from '@latchkey/core';
import { AuthError, readSettings } from '@latchkey/core';
import { authErrors } from '@latchkey/express-adapter';
import { hostAppForThisTest } from '../support/host-app.js';
import { serviceForThisTest } from '../support/service.js';

/** The same package loaded again, with classes of its own. */
async function secondCopy(): Promise<typeof Core> {
  vi.resetModules();
  const copy = await import('@latchkey/core');
  expect(copy.AuthError).not.toBe(AuthError);
  expect(copy.AuthError.forbidden()).not.toBeInstanceOf(AuthError);
  return copy;
}

it('an AuthError of another copy of the core is one', async () => {
  const copy = await secondCopy();
  expect(AuthError.is(copy.AuthError.forbidden())).toBe(true);
  expect(copy.AuthError.is(AuthError.forbidden())).toBe(true);
  for (const other of [new Error('no'), { code: 'forbidden', message: 'no' }, null, undefined, 'forbidden']) {
    expect(AuthError.is(other)).toBe(false);
  }
});

it('the brand of an AuthError is neither printed nor listed', () => {
  const error = AuthError.forbidden();
  expect(Object.getOwnPropertySymbols(error)).toEqual([]);
  expect(JSON.stringify(error)).not.toContain('latchkey.AuthError');
});

it('an error that a handler throws from another copy of the core gets its own status, and an unknown code 500', async () => {
  const { auth } = await serviceForThisTest();
  const copy = await secondCopy();
  const client = await hostAppForThisTest((app) => {
    app.get('/refused', () => {
      throw copy.AuthError.forbidden('Not in this house.');
    });
    app.get('/unknown', () => {
      throw Object.assign(copy.AuthError.forbidden('From a newer version.'), { code: 'a_code_of_tomorrow' });
    });
    app.use(authErrors(auth));
  });
  const refused = await client.call('GET', '/refused');
  expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
  expect(refused.text).toContain('Not in this house.');
  // Not with call(), which accepts no 500.
  expect(await client.send('GET', '/unknown')).toMatchObject({ status: 500, code: 'internal_error' });
});

it('a hook refuses with the AuthError of another copy of the core', async () => {
  const copy = await secondCopy();
  const before = {
    register: () => {
      throw copy.AuthError.forbidden('Only people of Acme register here.');
    },
  };
  const service = await serviceForThisTest({ extensions: { before } });
  const body = { email: 'eve@other.example', password: 'a long walk home', fullName: 'Eve' };
  expect(await service.api('POST', '/auth/register', { body })).toMatchObject({
    status: 403,
    code: 'forbidden',
  });
});

it('settings that one copy of the core has read serve another', async () => {
  const copy = await secondCopy();
  const settings = readSettings({ DATABASE_URL: 'postgres://app@127.0.0.1:1/none', REDIS_URL: undefined });
  await expect(copy.createAuth(settings, { migrate: false })).rejects.toThrow(/PostgreSQL|database/i);
});
