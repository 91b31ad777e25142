import { describe, expect, it } from 'vitest';
import { EndpointTable } from './endpoint-table.js';

const serve = () => undefined;
const table = new EndpointTable(
  [
    '/',
    '/auth/me',
    '/auth/sessions/{id}',
    '/internal/companies/{id}/members/{userId}',
    '/console/{+view}',
    '/a.b',
  ].map((path) => ({ path, serve })),
);

const found = (path: string) => {
  const match = table.find(path);
  return match && [match.endpoint.path, { ...match.readParams() }];
};

describe('a path', () => {
  it.each([
    ['/', '/', {}],
    ['/auth/me', '/auth/me', {}],
    ['/auth/sessions/7', '/auth/sessions/{id}', { id: '7' }],
    ['/auth/sessions/a%2Fb%20c', '/auth/sessions/{id}', { id: 'a/b c' }],
    [
      '/internal/companies/1/members/2',
      '/internal/companies/{id}/members/{userId}',
      { id: '1', userId: '2' },
    ],
    ['/console/users/7', '/console/{+view}', { view: 'users/7' }],
  ])('%s is found, and its variables are decoded', (path, pattern, params) => {
    expect(found(path)).toEqual([pattern, params]);
  });

  it.each([
    '',
    '//',
    '/auth',
    '/auth/me/',
    '/Auth/me',
    '/auth/m%65',
    '/auth/sessions/',
    '/auth/sessions/1/2',
    '/console/',
    '/console',
    '/axb',
    '/__proto__',
  ])('%j is not found', (path) => {
    expect(table.find(path)).toBeUndefined();
  });

  it.each(['/auth/sessions/%zz', '/auth/sessions/%ff'])('%s is found, and malformed', (path) => {
    expect(() => table.find(path)?.readParams()).toThrow('The request is malformed.');
  });

  it('a path may be in the table once', () => {
    const twice = [
      { path: '/auth/me', serve },
      { path: '/auth/me', serve },
    ];
    expect(() => new EndpointTable(twice)).toThrow(TypeError);
  });
});
