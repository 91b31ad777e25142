import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clearTokenCookies, setTokenCookies, tokenInCookie } from './auth-cookies.js';

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl_-';
const PAIR = { accessToken: TOKEN, refreshToken: 'lkr_x', expiresIn: 900, tokenType: 'Bearer' } as const;

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('tokenInCookie', () => {
  it.each([
    [`a=${TOKEN}`, TOKEN],
    [`b=1; a=${TOKEN}; aa=2; A=3`, TOKEN],
    [`b=1;a=${TOKEN};c`, TOKEN],
    [` a = ${TOKEN} `, TOKEN],
    ['a=x==', 'x=='],
    [`a=${'x'.repeat(4096)}`, 'x'.repeat(4096)],
  ])('tokenInCookie finds the token in header %#', (header, token) => {
    expect(tokenInCookie(header, 'a')).toBe(token);
  });

  it.each([undefined, '', ';', 'a', 'b=a=1', 'aa=1', 'A=1', '=a', '__proto__=a'])(
    'tokenInCookie returns undefined for %j',
    (header) => {
      expect(tokenInCookie(header, 'a')).toBeUndefined();
    },
  );

  it.each(['a=1; a=1', 'a=1; b=2; a=2', 'a=; a=1', 'a=', 'a="x"', 'a=x%2E', 'a=x y', 'a=é', 'a=x,y'])(
    'tokenInCookie returns an empty string for the unusable cookie in %j',
    (header) => {
      expect(tokenInCookie(header, 'a')).toBe('');
    },
  );

  it('tokenInCookie rejects a token that is longer than browsers keep', () => {
    expect(tokenInCookie(`a=${'x'.repeat(4097)}`, 'a')).toBe('');
  });
});

describe('setTokenCookies', () => {
  it('setTokenCookies keeps the cookies of the host app', () => {
    const response = newResponse();
    response.setHeader('Set-Cookie', 'theirs=1');
    setTokenCookies(response, PAIR, 3600);

    expect(response.getHeader('Set-Cookie')).toEqual([
      'theirs=1',
      `__Host-lk_access=${TOKEN}; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax`,
      '__Host-lk_refresh=lkr_x; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax',
      'lk_state=1; Max-Age=3600; Path=/; Secure; SameSite=Lax',
    ]);
  });

  it('setTokenCookies sets no cookies once the headers have been sent', () => {
    const response = newResponse();
    response.flushHeaders();
    expect(() => clearTokenCookies(response)).not.toThrow();
    expect(response.hasHeader('Set-Cookie')).toBe(false);
  });
});
