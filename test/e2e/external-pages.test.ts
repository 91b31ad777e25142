import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { externalEnv } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { assetsOf, openPage, withoutNonce } from '../support/html-page.js';
import { serviceForThisTest } from '../support/service.js';

const PAGES = ['/login', '/register', '/account', '/console'];

async function serviceWith(env: Record<string, string> = {}) {
  const provider = await HostileProvider.start();
  const service = await serviceForThisTest({ env: externalEnv(provider, env) });
  provider.stop();
  return service;
}

describe('pages of a service that has providers', () => {
  it('the pages know them without a request, and nothing that is secret', async () => {
    const { client } = await serviceWith({ EXTERNAL_SIGN_UP: 'true', PUBLIC_REGISTRATION_ENABLED: 'true' });
    for (const path of PAGES) {
      const { data, html } = await openPage(client, path);
      expect(JSON.parse(data.external ?? '')).toEqual([
        { id: 'google', type: 'google', label: 'Google', reauthenticates: false },
        { id: 'plain', type: 'oidc', label: 'Plain', reauthenticates: false },
        { id: 'strict', type: 'oidc', label: 'Strict', reauthenticates: true },
        { id: 'github', type: 'github', label: 'GitHub', reauthenticates: false },
      ]);
      expect(html).not.toMatch(/latchkey-tests|secret of/);
    }
  });

  it('the registration page has no buttons where a first sign-in creates no account', async () => {
    const { client } = await serviceWith({ PUBLIC_REGISTRATION_ENABLED: 'true' });
    expect((await openPage(client, '/register')).data).not.toHaveProperty('external');
  });

  it('the callback page is the same whatever the provider sends, and is cached nowhere', async () => {
    const { client } = await serviceWith();
    const plain = await openPage(client, '/external/callback/google');
    const sent = await openPage(
      client,
      '/external/callback/google?state=lks_%22%3E%3Cscript%3E&code=%00&error=x',
    );
    expect(withoutNonce(sent)).toBe(withoutNonce(plain));
    expect(sent.answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });
});

it.each(['en', 'de'])('the files of the callback page are small in %s', async (locale) => {
  const { client } = await serviceWith();
  const page = await openPage(client, '/external/callback/google', {
    headers: { 'accept-language': locale },
  });
  const files = await Promise.all(assetsOf(page).map((path) => client.send('GET', path)));
  expect(files).toHaveLength(3);
  const sizes = files.map(({ text }) => gzipSync(text).length);
  process.stdout.write(`/external/callback in ${locale}: with gzip ${sizes.join(' + ')}\n`);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(29_500);
});

describe('pages of a service without providers', () => {
  it('the pages have no data about any, and there is no callback page', async () => {
    const { client } = await serviceForThisTest();
    for (const path of PAGES) {
      const { html } = await openPage(client, path);
      expect([path, html.includes('data-external')]).toEqual([path, false]);
    }
    const answer = await client.send('GET', '/external/callback/google');
    expect(answer).toMatchObject({ status: 404 });
  });
});
