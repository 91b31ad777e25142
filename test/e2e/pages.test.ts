import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ON_NEXT } from '../support/binding.js';
import { DEVICE } from '../support/cookie-browser.js';
import { openPage, valuesOf, withoutNonce, type HtmlPage } from '../support/html-page.js';
import { startTestService, type TestService } from '../support/service.js';

const PAGES = [
  '/login',
  '/register',
  '/account',
  '/company',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/reject-registration',
  '/change-email',
  '/undo-email-change',
];
/** The pages on which users sign in: the browser gets a cookie for its next sign-in. */
const SIGN_IN_PAGES = ['/login', '/accept-invitation'];
/** The pages whose script makes an image: the QR code of an authenticator app. */
const PAGES_WITH_IMAGES = [...SIGN_IN_PAGES, '/account'];
const NOT_THERE = { status: 404, code: 'not_found' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const open = (path: string): Promise<HtmlPage> => openPage(service.client, path);
const tagsOf = (page: HtmlPage, wanted: string) => page.tags.filter(({ name }) => name === wanted);

describe.each(PAGES)('%s', (path) => {
  it('a page runs one script and has one style, both from this host and with the nonce of the policy', async () => {
    const page = await open(path);
    const [script, ...otherScripts] = tagsOf(page, 'script');
    const [style, ...otherStyles] = tagsOf(page, 'link').filter(
      ({ attributes }) => attributes.get('rel') === 'stylesheet',
    );
    expect([otherScripts, otherStyles]).toEqual([[], []]);
    expect(script?.attributes.get('src')).toMatch(/^\/auth\/assets\/[a-z-]+-[0-9a-f]{12}\.js$/);
    expect(style?.attributes.get('href')).toMatch(/^\/auth\/assets\/(pages|app)-[0-9a-f]{12}\.css$/);
    expect(valuesOf(page, 'nonce')).toEqual([page.nonce, page.nonce]);
    expect(page.html).toContain('</script>\n</head>');
  });

  it('a page has nothing inline and names no other host', async () => {
    const page = await open(path);
    expect(page.html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(tagsOf(page, 'style')).toEqual([]);
    const attributes = new Set(page.tags.flatMap((tag) => [...tag.attributes.keys()]));
    expect([...attributes].filter((name) => /^(style|on.*|srcdoc|ping|action)$/.test(name))).toEqual([]);
    for (const url of [...valuesOf(page, 'href'), ...valuesOf(page, 'src')]) {
      expect(new URL(url, service.url).origin, url).toBe(service.url);
    }
    expect(page.html).not.toMatch(/[a-z]:\/\/|["'=( ]\/\/|javascript:|data:/i);
  });

  it('a page runs only scripts with the nonce', async () => {
    const { policy, nonce } = await open(path);
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': ["'none'"],
      'script-src': [`'nonce-${nonce}'`],
      'style-src': [`'nonce-${nonce}'`],
      'img-src': ["'self'", ...(PAGES_WITH_IMAGES.includes(path) ? ['blob:'] : [])],
      'connect-src': ["'self'"],
      'form-action': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    });
  });

  it('a page has another nonce each time, of 16 random bytes', async () => {
    const nonces: string[] = [];
    for (let count = 0; count < 20; count++) nonces.push((await open(path)).nonce);
    expect(new Set(nonces).size).toBe(20);
    for (const nonce of nonces) {
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    }
  });

  it('a page is not cached, framed or sniffed, and sends no referrer', async () => {
    const { headers } = (await open(path)).answer;
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': expect.any(String) as string,
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'permissions-policy': expect.stringContaining('publickey-credentials-get=(self)') as string,
    });
    for (const name of ['x-powered-by', 'etag', 'last-modified', 'access-control-allow-origin'])
      expect(headers).not.toHaveProperty(name);
    const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.replace(/=.*/, ''));
    expect(cookies).toEqual(SIGN_IN_PAGES.includes(path) ? [DEVICE] : []);
  });

  it('a page is sent whole to clients that claim to have it, and repeats the request id', async () => {
    const headers = { 'if-none-match': '*', range: 'bytes=0-1', 'x-request-id': 'request-of-a-test' };
    const { answer } = await openPage(service.client, path, { headers });
    expect(answer.headers['x-request-id']).toBe('request-of-a-test');
    expect(answer.text).toMatch(/<\/html>\n$/);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', ...(ON_NEXT ? [] : ['TRACE', 'PROPFIND', 'PURGE'])])(
    'a page answers 404 to %s',
    async (method) => {
      const answer = await service.api(method, `${path}?x=canary`, { body: { x: 'canary' } });
      expect(answer).toMatchObject(NOT_THERE);
      expect(answer.headers).not.toHaveProperty('allow');
      expect(answer.text).not.toContain('canary');
    },
  );

  it.skipIf(ON_NEXT)('a page is at its own address only', async () => {
    const below = path === '/company' ? `${path}/x/y` : `${path}/x`;
    for (const other of [`${path}x`, below, `/auth${path}x`, `/${path}`, `${path}.html`]) {
      expect(await service.api('GET', other)).toMatchObject(NOT_THERE);
    }
  });
});

it('each page has its frame without a script, and no form', async () => {
  for (const path of PAGES) {
    const page = await open(path);
    expect([path, tagsOf(page, 'h1').length, tagsOf(page, 'noscript').length]).toEqual([path, 1, 1]);
    expect(['form', 'input', 'button'].flatMap((name) => tagsOf(page, name))).toEqual([]);
  }
});

it.each([
  ['', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
  ['', { 'accept-language': 'fr,it;q=0.5' }, 'en'],
  ['', { 'accept-language': '*' }, 'en'],
  ['', {}, 'en'],
  ['?ui_locales=fr%20de-CH', { 'accept-language': 'en' }, 'de'],
  ['?ui_locales=fr', { 'accept-language': 'de' }, 'de'],
])(
  'a page has the language that the user prefers: /login%s with %j is %s',
  async (query, headers, locale) => {
    const { html, answer } = await openPage(service.client, `/login${query}`, { headers });
    expect(html).toContain(`<html lang="${locale}" dir="ltr">`);
    expect(html).toContain(`/auth/assets/${locale}-login-`);
    expect(answer.headers['content-language']).toBe(locale);
    expect(answer.headers.vary).toContain('Accept-Language');
  },
);

it('headers in which a browser describes itself change nothing but the language', async () => {
  // Without one, requests from this machine get a notice, and those of the proxy below do not.
  await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
  for (const path of PAGES) {
    const headers = {
      cookie: 'lk_state=1; __Host-lk_access=x',
      origin: 'https://app.example.com',
      accept: 'application/json',
      authorization: 'Bearer x',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/evil',
    };
    const page = await openPage(service.client, path, { headers });
    expect(withoutNonce(page)).toBe(withoutNonce(await open(path)));
    expect(page.answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
});
