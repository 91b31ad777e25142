import { describe, expect, it } from 'vitest';
import { ResponseHeaders } from '../exchange/response-headers.js';
import { setTokenCookies, tokenInCookie } from './auth-cookies.js';

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl_-';
const PAIR = { accessToken: TOKEN, refreshToken: 'lkr_x', expiresIn: 900, tokenType: 'Bearer' } as const;

/** Returns the token `a` in a `Cookie` header. */
const tokenIn = (cookie: string | undefined) => tokenInCookie({ headers: { cookie } }, 'a');

describe('tokenInCookie', () => {
  it.each([
    [`a=${TOKEN}`, TOKEN],
    [`b=1; a=${TOKEN}; aa=2; A=3`, TOKEN],
    [`b=1;a=${TOKEN};c`, TOKEN],
    [` a = ${TOKEN} `, TOKEN],
    ['a=x==', 'x=='],
    [`a=${'x'.repeat(4096)}`, 'x'.repeat(4096)],
  ])('tokenInCookie finds the token in header %#', (header, token) => {
    expect(tokenIn(header)).toBe(token);
  });

  it.each([undefined, '', ';', 'a', 'b=a=1', 'aa=1', 'A=1', '=a', '__proto__=a'])(
    'tokenInCookie returns undefined for %j',
    (header) => {
      expect(tokenIn(header)).toBeUndefined();
    },
  );

  it.each(['a=1; a=1', 'a=1; b=2; a=2', 'a=; a=1', 'a=', 'a="x"', 'a=x%2E', 'a=x y', 'a=é', 'a=x,y'])(
    'tokenInCookie returns an empty string for the unusable cookie in %j',
    (header) => {
      expect(tokenIn(header)).toBe('');
    },
  );

  it('tokenInCookie rejects a token that is longer than browsers keep', () => {
    expect(tokenIn(`a=${'x'.repeat(4097)}`)).toBe('');
  });
});

it('setTokenCookies adds cookies that last as long as their tokens', () => {
  const headers = new ResponseHeaders();
  headers.append('Set-Cookie', 'theirs=1');
  setTokenCookies(headers, PAIR, 3600);

  expect([...headers].map(([, value]) => value)).toEqual([
    'theirs=1',
    `__Host-lk_access=${TOKEN}; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax`,
    '__Host-lk_refresh=lkr_x; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax',
    'lk_state=1; Max-Age=3600; Path=/; Secure; SameSite=Lax',
  ]);
});
