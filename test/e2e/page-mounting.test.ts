import { json, type Express } from 'express';
import helmet from 'helmet';
import { describe, expect, it } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import { freePort } from '../../tools/shared/free-port.mjs';
import type { ApiClient } from '../support/api-client.js';
import { hostAppForThisTest } from '../support/host-app.js';
import { assetsOf, openPage, valuesOf, type HtmlPage } from '../support/html-page.js';
import { serviceForThisTest, type TestService } from '../support/service.js';

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

/** Returns the target of a page's link when the page is opened at `address`. */
const target = (href: string, address: string): string =>
  new URL(href, `http://localhost${address}`).pathname;

/** Expects that every address in a page below a prefix exists, below that prefix. */
async function expectAtHome(client: ApiClient, prefix: string): Promise<void> {
  for (const path of PAGES) {
    const page = await openPage(client, `${prefix}${path}?token=lki_x`);
    expect(page.data.base).toBe(prefix);
    expect(assetsOf(page)).toHaveLength(3);
    for (const href of [...valuesOf(page, 'href'), ...valuesOf(page, 'src')]) {
      const address = target(href, prefix + path);
      expect(address).toMatch(
        new RegExp(`^${prefix}/(auth/assets/.+|login|register|account|reset-password)$`),
      );
      expect([address, (await client.send('GET', address)).status]).toEqual([address, 200]);
    }
  }
}

async function hostWith(service: TestService, prefix: string, port: number): Promise<ApiClient> {
  return hostAppForThisTest((app) => app.use(prefix, createAuthRouter(service.auth)), port);
}

describe('a router mounted under a prefix', () => {
  it('pages, their files and their calls stay below the prefix, and so do the links of mails', async () => {
    const port = await freePort();
    const AUTH_BASE_URL = `http://localhost:${port}/id`;
    const service = await serviceForThisTest({ env: { AUTH_BASE_URL } });
    const client = await hostWith(service, '/id', port);
    await expectAtHome(client, '/id');
    const { email } = await service.createUser();
    await service.api('POST', '/auth/password-reset/request', { body: { email } });
    const { link } = await service.mailTo(email);
    expect(link).toMatch(`${AUTH_BASE_URL}/reset-password?token=`);
    await openPage(client, link.slice(new URL(link).origin.length));
  });

  it('the prefix is detected where the public address does not name it', async () => {
    const service = await serviceForThisTest();
    const client = await hostWith(service, '/deep/er', await freePort());
    await expectAtHome(client, '/deep/er');
  });

  it('HTTPS leads to the same path below the prefix', async () => {
    const env = { AUTH_WEB_FORCE_HTTPS: 'true', AUTH_BASE_URL: 'https://example.com/id' };
    const service = await serviceForThisTest({ env });
    const client = await hostWith(service, '/id', await freePort());
    const { status, headers } = await client.send('GET', '/id/login?returnTo=/x');
    expect([status, headers.location]).toEqual([308, 'https://example.com/id/login?returnTo=/x']);
  });

  it('pages name the prefix even behind a proxy that removes it', async () => {
    const service = await serviceForThisTest({ env: { AUTH_BASE_URL: 'https://example.com/id' } });
    for (const path of PAGES) {
      const page = await openPage(service.client, path);
      expect(page.data.base).toBe('/id');
      for (const asset of assetsOf(page)) {
        expect(asset).toMatch(/^\/id\/auth\/assets\//);
        expect((await service.client.send('GET', asset.slice('/id'.length))).status).toBe(200);
      }
    }
  });
});

describe('several mounts in one process', () => {
  it('one router with two mounts names each mount', async () => {
    const service = await serviceForThisTest();
    const router = createAuthRouter(service.auth);
    const client = await hostAppForThisTest((app) => app.use('/a', router).use('/b', router));
    await expectAtHome(client, '/a');
    await expectAtHome(client, '/b');
  });

  it('two services keep their names, colours and files apart', async () => {
    const [first, second] = [
      await serviceForThisTest({ env: { BRAND_NAME: 'First' } }),
      await serviceForThisTest({ env: { BRAND_NAME: 'Second', BRAND_ACCENT: '#00695c' } }),
    ];
    const client = await hostAppForThisTest((app) => {
      app.use('/1', createAuthRouter(first.auth)).use('/2', createAuthRouter(second.auth));
    });
    const [one, two] = [await openPage(client, '/1/login'), await openPage(client, '/2/login')];
    expect([one.html.includes('First'), one.html.includes('Second')]).toEqual([true, false]);
    expect([two.html.includes('First'), two.html.includes('Second')]).toEqual([false, true]);
    await expectAtHome(client, '/1');
    await expectAtHome(client, '/2');
    const style = (page: HtmlPage) =>
      assetsOf(page)
        .find((path) => path.endsWith('.css'))
        ?.slice(2) ?? '';
    expect((await client.send('GET', `/1${style(two)}`)).status).toBe(404);
  });
});

describe('pages in an app with middleware of its own', () => {
  const strict = (app: Express) =>
    app.use(json()).use(
      helmet({
        contentSecurityPolicy: {
          directives: { scriptSrc: ["'self'", "'unsafe-inline'", 'https://cdn.example'] },
        },
        referrerPolicy: { policy: 'unsafe-url' },
      }),
    );

  it('a page has the same policy and headers as without the app', async () => {
    const service = await serviceForThisTest();
    const client = await hostAppForThisTest((app) => strict(app).use(createAuthRouter(service.auth)));
    for (const path of PAGES) {
      const alone = await openPage(service.client, path);
      const guest = await openPage(client, path);
      expect(policyOf(guest)).toBe(policyOf(alone));
      for (const name of ['cache-control', 'referrer-policy', 'x-frame-options', 'permissions-policy']) {
        expect(guest.answer.headers[name]).toBe(alone.answer.headers[name]);
      }
      expect(guest.answer.headers).toHaveProperty('x-request-id');
    }
    await expectAtHome(client, '');
  });

  it('other requests remain with the app', async () => {
    const service = await serviceForThisTest();
    const client = await hostAppForThisTest((app) => {
      app.use(createAuthRouter(service.auth));
      app.use((_request, response) => response.status(418).send('ours'));
    });
    for (const path of ['/', '/login//', '/login/more', '/auth/assets/other.js', '/accept']) {
      const { status, text } = await client.send('GET', path);
      expect([path, status, text]).toEqual([path, 418, 'ours']);
    }
  });
});

const policyOf = ({ answer, nonce }: HtmlPage): string =>
  String(answer.headers['content-security-policy']).replaceAll(nonce, 'NONCE');
