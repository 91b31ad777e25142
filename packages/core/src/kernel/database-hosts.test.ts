import { expect, it } from 'vitest';
import { shownHost, splitDatabaseHosts } from './database-hosts.js';

it.each([
  ['postgres://localhost/auth', ['postgres://localhost/auth'], undefined],
  ['postgres:///auth?host=/var/run/postgresql', ['postgres:///auth?host=/var/run/postgresql'], undefined],
  [
    'postgresql://u:p%40@h1:5432,[::1]:5433/auth?sslmode=require&target_session_attrs=read-write',
    [
      'postgresql://u:p%40@h1:5432/auth?sslmode=require',
      'postgresql://u:p%40@[::1]:5433/auth?sslmode=require',
    ],
    'read-write',
  ],
  [
    'postgres://h1,h2/auth?target_session_attrs=primary',
    ['postgres://h1/auth', 'postgres://h2/auth'],
    'read-write',
  ],
  ['postgres://h1,h2?target_session_attrs=any', ['postgres://h1', 'postgres://h2'], 'any'],
  [
    'postgres://u:a,b@h1/auth?options=-c%20x%3Da,b',
    ['postgres://u:a,b@h1/auth?options=-c%20x%3Da,b'],
    undefined,
  ],
])('an address is split into one for each host: %s', (url, urls, target) => {
  expect(splitDatabaseHosts(url)).toEqual({ urls, target });
});

it('a kind of server that accepts no writes is refused', () => {
  expect(() => splitDatabaseHosts('postgres://h1,h2/auth?target_session_attrs=standby')).toThrow(TypeError);
});

it('a host is shown without user, password and parameters', () => {
  expect(shownHost('postgres://user:secret@h1:5432/auth?password=secret')).toBe('h1:5432');
});
