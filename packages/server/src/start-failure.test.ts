import { expect, it } from 'vitest';
import { AuthError, SettingsError } from '@latchkey/core';
import { isLasting, startFailureText } from './start-failure.js';

const REFUSED = Object.assign(new Error('password authentication failed for user "app"'), {
  fix: 'correct user and password in DATABASE_URL',
});

it('a start that the database refuses ends in one sentence with what to change', () => {
  const error = AuthError.unavailable('The database is not available at the moment.', REFUSED);
  expect(isLasting(error)).toBe(true);
  expect(startFailureText(error)).toBe(
    'The database is not available at the moment (password authentication failed for user "app"). ' +
      'To fix: correct user and password in DATABASE_URL.',
  );
});

it('a database that may come back is waited for', () => {
  const error = AuthError.unavailable('The database is not available at the moment.', new Error('refused'));
  expect(isLasting(error)).toBe(false);
  expect(startFailureText(error)).toContain('check that it is running, and that DATABASE_URL is its address');
});

it('a fault of the settings keeps its own words, and a defect has none', () => {
  const fault = { name: 'PORT', found: '80', expected: 'another', fix: 'change it' };
  expect(startFailureText(new SettingsError([fault]))).toContain('PORT');
  expect(startFailureText(new TypeError('x is undefined'))).toBeUndefined();
});
