import { describe, expect, it } from 'vitest';
import { safeReturnTo } from './return-to.js';

const TARGETS = { baseUrl: 'https://auth.example.com', webAppUrl: 'https://app.example.com/portal' };

describe('safeReturnTo', () => {
  it.each([
    ['/accept-invitation', '/accept-invitation'],
    ['/a/b?c=d&e=%2F#f', '/a/b?c=d&e=%2F#f'],
    ['/a/../b', '/b'],
    ['https://app.example.com/portal', 'https://app.example.com/portal'],
    ['https://app.example.com/portal/?x=1', 'https://app.example.com/portal/?x=1'],
    ['https://app.example.com/portal/deep#part', 'https://app.example.com/portal/deep#part'],
    ['HTTPS://APP.example.com:443/portal', 'https://app.example.com/portal'],
  ])('safeReturnTo returns for %s the address %s', (wanted, target) => {
    expect(safeReturnTo(wanted, TARGETS)).toBe(target);
  });

  it.each([
    '',
    'accept-invitation',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/..//evil.example',
    '/./\t/evil.example',
    '/\n/evil.example',
    ' /login',
    'https:evil.example',
    'https:/evil.example',
    'https://evil.example/portal',
    'https://app.example.com.evil.example/portal',
    'https://app.example.com@evil.example/portal',
    'https://user:secret@app.example.com/portal',
    'https://app.example.com/portal-of-another',
    'https://app.example.com/portal/../elsewhere',
    'https://app.example.com/',
    'https://app.example.com:8443/portal',
    'http://app.example.com/portal',
    'https://auth.example.com/login',
    'javascript:alert(1)',
    'JavaScript://app.example.com/portal%0aalert(1)',
    'data:text/html,x',
    'https://app.example.com\u202e/portal',
    'https://[',
  ])('safeReturnTo rejects %j', (wanted) => {
    expect(safeReturnTo(wanted, TARGETS)).toBeUndefined();
  });

  it.each([undefined, null, 1, ['/a'], { href: '/a' }])(
    'safeReturnTo rejects %j, which is not a string',
    (wanted) => {
      expect(safeReturnTo(wanted, TARGETS)).toBeUndefined();
    },
  );

  it('safeReturnTo accepts only paths on this host without a web app', () => {
    const targets = { ...TARGETS, webAppUrl: undefined };
    expect(safeReturnTo('https://app.example.com/portal', targets)).toBeUndefined();
    expect(safeReturnTo('/login', targets)).toBe('/login');
  });

  it('safeReturnTo accepts every path on the host of a web app without a path', () => {
    const targets = { ...TARGETS, webAppUrl: 'http://localhost:5173' };
    expect(safeReturnTo('http://localhost:5173/deep', targets)).toBe('http://localhost:5173/deep');
    expect(safeReturnTo('http://localhost:5173', targets)).toBe('http://localhost:5173/');
    expect(safeReturnTo('http://localhost:51730/deep', targets)).toBeUndefined();
  });
});
