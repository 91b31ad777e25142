import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ON_NEXT } from '../support/binding.js';
import { assetsOf, openPage } from '../support/html-page.js';
import { exchangeBytes } from '../support/raw-http.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

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
/** The statement of Preact for markup made by scripts, which runs for a property that no component has. */
const UNUSED_MARKUP = /\w+\.__html==\w+\.innerHTML\)\|\|\(\w+\.innerHTML=\w+\.__html\)/;
/** Script and style of a page, compressed. */
const LARGEST_BYTES = 28_000;
/** Those with much state. */
const LARGEST: Partial<Record<string, number>> = { '/account': 51_500, '/company': 51_000 };
const NOT_THERE = { status: 404, code: 'not_found' };
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { PASSKEYS_ENABLED: 'true', ...PASSKEYS } });
});
afterAll(() => service.stop());

const PASSKEYS = { WEBAUTHN_RP_ID: 'localhost', WEBAUTHN_ORIGINS: 'http://localhost:3097' };
const get = (path: string, headers = {}) => service.client.send('GET', path, { headers });

/** The files are sent and compressed one by one. */
const compressedBytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + gzipSync(text).length, 0);

async function allAssets(of = service): Promise<string[]> {
  const pages = await Promise.all(PAGES.map((path) => openPage(of.client, path)));
  return [...new Set(pages.flatMap(assetsOf))];
}

describe('the files of the pages', () => {
  it('the files of the pages are named after their content, and can be cached indefinitely', async () => {
    const paths = await allAssets();
    expect(paths).toHaveLength(11);
    for (const path of paths) {
      const { status, headers, text } = await get(path);
      const [, hash, extension = ''] = /-([0-9a-f]{12})\.(\w+)$/.exec(path) ?? [];
      expect([path, status]).toEqual([path, 200]);
      expect(createHash('sha256').update(text).digest('hex').slice(0, 12)).toBe(hash);
      expect(headers).toMatchObject({
        'content-type': TYPES[extension],
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
    }
  });

  it('the files of the pages need not be sent twice', async () => {
    const [path = ''] = await allAssets();
    const { etag } = (await get(path)).headers;
    const answer = await get(path, { 'if-none-match': etag });
    expect([answer.status, answer.text]).toEqual([304, '']);
  });

  it('the files of the pages are complete, and contain no map, no evaluation and no markup made by scripts', async () => {
    for (const path of await allAssets()) {
      const text = (await get(path)).text.replace(UNUSED_MARKUP, '');
      expect(text, path).not.toMatch(
        /sourceMappingURL|@import|\burl\(|\bimport\b(?!\([a-z]\+[a-z]\))|\beval\(|new Function|innerHTML|document\.write/,
      );
    }
  });

  it.each(
    PAGES.flatMap((path) => [
      [path, 'en'],
      [path, 'de'],
    ]),
  )('the files of the pages are small: %s in %s', async (path, locale) => {
    const page = await openPage(service.client, path, { headers: { 'accept-language': locale } });
    const files = await Promise.all(assetsOf(page).map((asset) => get(asset)));
    expect(files).toHaveLength(3);
    const loaded = files.filter(({ headers }) => headers['content-type'] !== TYPES.svg);
    const ofFiles = compressedBytes(loaded.map(({ text }) => text));
    const texts = [page.html, ...files.map(({ text }) => text)];
    const bytes = compressedBytes(texts);
    process.stdout.write(
      `${path} in ${locale}: ${texts.join('').length} bytes; with gzip ${bytes}, script and style ${ofFiles}\n`,
    );
    expect(ofFiles).toBeLessThan(LARGEST[path] ?? LARGEST_BYTES);
  });

  it('the files of the pages are the same for each page and each time', async () => {
    expect(await allAssets()).toEqual(await allAssets());
  });

  it('the files of the pages answer no other method', async () => {
    for (const path of await allAssets()) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await service.api(method, path);
        expect(answer).toMatchObject(NOT_THERE);
        expect(answer.headers).not.toHaveProperty('allow');
      }
    }
  });
});

describe('the scripts that a page loads on demand', () => {
  /** The addresses are data of the page. */
  const onDemand = async (path: string, locale: string) => {
    const page = await openPage(service.client, path, { headers: { 'accept-language': locale } });
    const scripts = Object.entries(page.data).filter(([name]) => name.endsWith('-script'));
    return { page, scripts: Object.fromEntries(scripts) };
  };

  it.each(['en', 'de'])('are named by the pages that need them, in %s', async (locale) => {
    const found = await Promise.all(PAGES.map((path) => onDemand(path, locale)));
    const names = found.map(({ scripts }, index) => [PAGES[index], Object.keys(scripts)]);
    expect(Object.fromEntries(names.filter(([, scripts]) => scripts?.length))).toEqual({
      '/login': ['second-step-script'],
      '/register': ['password-strength-script'],
      '/accept-invitation': ['second-step-script', 'password-strength-script'],
      '/reset-password': ['password-strength-script'],
    });
  });

  it.each(['en', 'de'])(
    'are named after their content, cached indefinitely, and import the script of their page only, in %s',
    async (locale) => {
      for (const path of ['/login', '/accept-invitation']) {
        const { page, scripts } = await onDemand(path, locale);
        const first = assetsOf(page)
          .find((asset) => asset.endsWith('.js'))
          ?.replace(/.*\//, './');
        for (const address of Object.values(scripts)) {
          const { status, headers, text } = await get(address);
          expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
          expect(address).toContain(createHash('sha256').update(text).digest('hex').slice(0, 12));
          const again = await get(address, { 'if-none-match': headers.etag });
          expect(again.status).toBe(304);
          const imported = [...text.matchAll(/\bfrom"([^"]+)"/g)].map(([, name]) => name);
          expect(imported).toEqual(address.includes('second-step') ? [first] : []);
          expect(text).not.toMatch(/sourceMappingURL|\beval\(|new Function|document\.write/);
        }
      }
    },
  );
});

describe('an unknown file of the pages', () => {
  it('an unknown file is not found, and that is not cached', async () => {
    const [known = ''] = await allAssets();
    const others = [
      '/auth/assets',
      '/auth/assets/',
      '/auth/assets/login.js',
      '/auth/assets/login-000000000000.js',
      '/auth/assets/login-000000000000.js.map',
      known.toUpperCase().replace('/AUTH/ASSETS', '/auth/assets/x'),
      `${known}/`,
      `${known}x`,
      known.replace('/auth/assets', ''),
      '/auth/assets/__proto__',
      '/auth/assets/pages.css',
    ];
    for (const path of others) {
      const answer = await service.api('GET', path);
      expect([path, answer.status, answer.code]).toEqual([path, 404, 'not_found']);
    }
  });

  it
    .skipIf(ON_NEXT)
    .each([
      '/auth/assets/../../package.json',
      '/auth/assets/..%2f..%2fpackage.json',
      '/auth/assets/%2e%2e/%2e%2e/package.json',
      '/auth/assets/..%5c..%5cpackage.json',
      '/auth/assets//etc/passwd',
      '/auth/assets/login.js%00',
      'http://localhost/auth/assets/../index.js',
    ])('an unknown file is not found by a path traversal: %s', async (target) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const { status, body } = await exchangeBytes(service.url, request);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'not_found' } });
  });
});

it('another accent gives another style, and keeps the scripts as they are', async () => {
  const other = await serviceForThisTest({ env: { BRAND_ACCENT: '#7f00ff' } });
  const [ours, theirs] = [await allAssets(), await allAssets(other)];
  const differing = (paths: string[], than: string[]) =>
    paths.filter((path) => !than.includes(path)).map((path) => path.replace(/-\w{12}/, ''));
  expect(differing(theirs, ours).sort()).toEqual(
    ['app.css', 'mark.svg', 'pages.css'].map((file) => `/auth/assets/${file}`),
  );
});
