import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { assetsOf, openPage } from '../support/html-page.js';
import { serviceForThisTest } from '../support/service.js';

it.each(['en', 'de'])('the files of the sign-in by mail are small in %s', async (locale) => {
  const { client } = await serviceForThisTest({ env: { MAILED_SIGN_IN: 'on' } });
  const page = await openPage(client, '/login?by=mail', { headers: { 'accept-language': locale } });
  const paths = assetsOf(page);
  expect(paths.some((path) => path.includes('mailed-sign-in'))).toBe(true);
  const files = await Promise.all(paths.map((path) => client.send('GET', path)));
  const sizes = files.map(({ text }) => gzipSync(text).length);
  process.stdout.write(`/login?by=mail in ${locale}: with gzip ${sizes.join(' + ')}\n`);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(29_500);
});

it('a service without sign-ins by mail offers none on its pages, and has no page for them', async () => {
  const { client } = await serviceForThisTest();
  const { html, data } = await openPage(client, '/login?by=mail');
  expect(data).not.toHaveProperty('mailedSignIn');
  expect(html).not.toContain('mailed-sign-in');
});
