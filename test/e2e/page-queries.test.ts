import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, withoutNonce, type HtmlPage } from '../support/html-page.js';
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
const WEB_APP_URL = 'https://app.example.com/portal';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { WEB_APP_URL } });
});
afterAll(() => service.stop());

const open = (path: string): Promise<HtmlPage> => openPage(service.client, path);
const loginWith = (returnTo: string): Promise<HtmlPage> =>
  open(`/login?returnTo=${encodeURIComponent(returnTo)}`);

/** None of these leaves a trace in a page. */
const STRANGE_QUERIES = [
  'token=lki_a&token=lki_b',
  'token=%00',
  '%00=a',
  'token=%ff%fe',
  'token=%ED%A0%80',
  'token=%',
  '%',
  '__proto__=1&__proto__[x]=1&constructor[prototype][x]=1',
  'toString=1&hasOwnProperty=2',
  'token[a]=b&token[]=c',
  `token=${'x'.repeat(10_240)}`,
  `token=${encodeURIComponent(`"><script>alert(1)</script><img src=x onerror=alert(1)>`)}`,
  `${encodeURIComponent(`'onload='alert(1)`)}=1`,
  'token={{7*7}}${7*7}<%=7*7%>',
  '&&==&?=?',
  `returnTo=%00&returnTo=%ff`,
  `returnTo=${encodeURIComponent(`"><script>alert(1)</script>`)}`,
  'returnTo[]=/a&returnTo[0]=/a&returnTo.x=/a',
  'returnto=/a&RETURNTO=/a&return-to=/a&web-app=https://evil.example&base=//evil.example',
  'nonce=x&script-src=*',
];

describe.each(PAGES)('%s', (path) => {
  it('a page is the same whatever the query holds', async () => {
    const usual = await open(path);
    for (const query of STRANGE_QUERIES) {
      const page = await open(`${path}?${query}`);
      expect([query, withoutNonce(page)]).toEqual([query, withoutNonce(usual)]);
      expect([query, [...page.policy.keys()]]).toEqual([query, [...usual.policy.keys()]]);
    }
  });

  it('a page knows the web app, and nothing of the visitor', async () => {
    expect((await open(path)).data).toMatchObject({
      'web-app': WEB_APP_URL,
      'cookie-mode': 'false',
      base: '',
    });
  });
});

describe('returnTo', () => {
  it.each([
    ['/accept-invitation', '/accept-invitation'],
    ['/a/../reports?x=1&y=2#z', '/reports?x=1&y=2#z'],
    ['https://app.example.com/portal', 'https://app.example.com/portal'],
    ['HTTPS://APP.example.com:443/portal/deep?x=1', 'https://app.example.com/portal/deep?x=1'],
  ])('sign-in leads back to %s', async (wanted, target) => {
    expect((await loginWith(wanted)).data['return-to']).toBe(target);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    'https://evil.example/portal',
    'https://app.example.com@evil.example/portal',
    'https://app.example.com/portal-of-a-user',
    'https://app.example.com/portal/../elsewhere',
    'http://app.example.com/portal',
    'javascript:alert(1)',
    '/\0',
    '',
  ])('returnTo %j leaves no trace', async (wanted) => {
    expect(withoutNonce(await loginWith(wanted))).toBe(withoutNonce(await open('/login')));
  });

  it('returnTo is shown in the page as text', async () => {
    const { html, data } = await loginWith(`/it's?a=1&b="<script>&amp;'#"<b>'`);
    expect(data['return-to']).toBe(`/it's?a=1&b=%22%3Cscript%3E&amp;%27#%22%3Cb%3E'`);
    expect(html).toContain(
      `data-return-to="/it&#39;s?a=1&amp;b=%22%3Cscript%3E&amp;amp;%27#%22%3Cb%3E&#39;"`,
    );
  });

  it('returnTo is ignored when it is no text', async () => {
    expect((await open('/login?returnTo=/a%ff')).data['return-to']).toBe('/a%EF%BF%BD');
    expect((await open(`/login?returnTo=/${'x'.repeat(10_240)}`)).data['return-to']).toHaveLength(10_241);
  });

  it('returnTo has no effect on the other pages', async () => {
    for (const path of [
      '/account',
      '/accept-invitation',
      '/reset-password',
      '/verify-email',
      '/reject-registration',
      '/change-email',
      '/undo-email-change',
    ]) {
      expect((await open(`${path}?returnTo=/reports`)).data).not.toHaveProperty('return-to');
    }
  });
});
