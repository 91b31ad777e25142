import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsOf, openPage } from '../support/html-page.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

/** The statement of Preact for markup made by scripts, which runs for a property that no component has. */
const UNUSED_MARKUP = /\w+\.__html==\w+\.innerHTML\)\|\|\(\w+\.innerHTML=\w+\.__html\)/;

/** Page, styles and script together, as a browser loads them the first time. */
const MOST_BYTES = 120_000;
const PLACES = ['/console', '/console/users', '/console/users/01a1f913-5cbd-734b-94db-49d386fffaf7'];

describe('the page of the console', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it.each(PLACES)('the console is served at %s, so that reloading a view keeps it', async (path) => {
    const page = await openPage(service.client, path);
    expect(page.html).toContain('<div id="app">');
    expect(page.html).toMatch(/data-brand="Latchkey"/);
  });

  it('the console has nothing inline, and its policy allows no other host, no eval and no markup by scripts', async () => {
    const { html, policy, nonce, tags } = await openPage(service.client, '/console');
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': ["'none'"],
      'script-src': [`'nonce-${nonce}'`],
      'style-src': [`'nonce-${nonce}'`],
      'img-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    });
    expect(tags.filter(({ name }) => name === 'style')).toEqual([]);
    expect(html.match(/<script[^>]*>(?!<\/script>)/g)).toBeNull();
  });

  const filesOf = async (): Promise<string[]> =>
    assetsOf(await openPage(service.client, '/console')).filter((file) => /\.(js|css)$/.test(file));
  const textOf = async (file: string): Promise<string> => (await service.client.send('GET', file)).text;

  it('the files of the console contain no evaluation, and no markup made by scripts', async () => {
    const files = await filesOf();
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect((await textOf(file)).replace(UNUSED_MARKUP, ''), file).not.toMatch(
        /sourceMappingURL|@import|\burl\(|\bimport\b|\beval\(|new Function|innerHTML|document\.write/,
      );
    }
  });

  it('the whole page is smaller than 120 kB', async () => {
    const { html } = await openPage(service.client, '/console');
    const sizes = new Map([['/console', gzipSync(html).length]]);
    for (const file of await filesOf()) sizes.set(file, gzipSync(await textOf(file)).length);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    console.info(`/console: ${total} bytes compressed`, Object.fromEntries(sizes));
    expect(total).toBeLessThan(MOST_BYTES);
  });

  it('other methods are not found', async () => {
    expect(await service.api('POST', '/console')).toMatchObject({ status: 404, code: 'not_found' });
  });
});

it('the console shows the logos of the brand', async () => {
  const service = await serviceForThisTest({
    env: { BRAND_NAME: 'Acme', BRAND_LOGO_URL: '/brand/logo.svg', BRAND_LOGO_DARK_URL: '/brand/dark.svg' },
  });
  const { html } = await openPage(service.client, '/console');
  expect(html).toMatch(
    /data-brand="Acme".* data-logo="\/brand\/logo.svg" data-logo-dark="\/brand\/dark.svg"/,
  );
});

it('a console that is turned off does not exist, and takes no route with it', async () => {
  const service = await serviceForThisTest({ env: { CONSOLE_ENABLED: 'false' } });
  for (const path of PLACES) expect(await service.api('GET', path)).toMatchObject({ status: 404 });
  expect(await service.api('GET', '/internal/users')).toMatchObject({ status: 401 });
});
