import { describe, expect, it } from 'vitest';
import { didYouMean, nearNames } from './near-names.js';

const NAMES = ['login', 'logout', 'logout_all', 'user_created', 'invitation_created', 'user_updated'];

describe('names that are near', () => {
  it.each([
    ['lgoin', 'login'],
    ['user_login', 'login'],
    ['USER-CREATED', 'user_created'],
    ['userCreated', 'user_created'],
    ['invitation_create', 'invitation_created'],
    ['user_update', 'user_updated'],
  ])('%s is recognised as a misspelling of %s', (given, expected) => {
    expect(nearNames(given, NAMES)[0]).toBe(expected);
  });

  it.each(['', '*', 'payment', 'x'.repeat(100_000), '___'])('no name is similar to "%.20s"', (given) => {
    expect(nearNames(given, NAMES)).toEqual([]);
  });

  it('at most three near names are returned, the nearest first', () => {
    const names = ['logoutd', 'logouts', 'logoutx', 'logouty', 'logout'];
    const near = nearNames('logout', names);
    expect(near).toHaveLength(3);
    expect(near[0]).toBe('logout');
  });
});

it('didYouMean asks only if a name is similar', () => {
  expect(didYouMean('logut', NAMES)).toBe(' Did you mean logout?');
  expect(didYouMean('payment', NAMES)).toBe('');
});
