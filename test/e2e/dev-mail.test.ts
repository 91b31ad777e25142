import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import { ApiClient } from '../support/api-client.js';
import { ON_NEXT } from '../support/binding.js';
import { hostAppForThisTest } from '../support/host-app.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const NOT_THERE = { status: 404, code: 'not_found' };
const open = (path: string, headers = {}) => service.client.send('GET', path, { headers });

async function receiveMail(fullName = 'Ada Lovelace') {
  const user = await service.createUser({ fullName });
  await service.api('POST', '/auth/password-reset/request', { body: { email: user.email } });
  const mail = await service.mailTo(user.email);
  const [kept] = service.auth.inbox?.list() ?? [];
  return { ...user, mail, path: `/dev/mail/${kept?.id ?? ''}` };
}

describe.skipIf(ON_NEXT)('the development inbox', () => {
  it('the development inbox lists the mails, newest first, each with a link to it', async () => {
    const [first, second] = [await receiveMail(), await receiveMail()];
    const { status, headers, text } = await open('/dev/mail');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text.indexOf(second.email)).toBeLessThan(text.indexOf(first.email));
    for (const { path } of [first, second]) expect(text).toContain(`href="${path}"`);
  });

  it('the development inbox shows a mail with a link that works', async () => {
    const { email, mail, path } = await receiveMail();
    const { text } = await open(path);
    expect(text).toContain(email);
    const link = /<a href="(http[^"]+)">/.exec(text)?.[1] ?? '';
    expect(link).toBe(mail.link);
    const newPassword = 'the password of the inbox';
    const body = { token: new URL(link).searchParams.get('token'), newPassword };
    expect((await service.api('POST', '/auth/password-reset/confirm', { body })).status).toBe(200);
    expect((await service.signIn({ email, password: newPassword })).accessToken).toBeTypeOf('string');
  });

  it('the development inbox finds its way below a prefix of a host app', async () => {
    const { path } = await receiveMail();
    const host = await hostAppForThisTest((app) => app.use('/id', createAuthRouter(service.auth)));
    expect((await host.send('GET', '/id/dev/mail')).text).toContain(`href="/id${path}"`);
    const mail = await host.send('GET', `/id${path}`);
    expect([mail.status, mail.text.includes('href="/id/dev/mail"')]).toEqual([200, true]);
  });

  it('the development inbox shows input of users as text', async () => {
    const { path } = await receiveMail("Ann O'Neill & Co");
    expect((await open(path)).text).toContain('Ann O&#39;Neill &amp; Co');
    const { path: other } = await receiveMail('<img src=x onerror="alert(1)">');
    expect((await open(other)).text).not.toMatch(/<img src=x|onerror/);
  });

  it('the development inbox has the policy of the other pages, frames only itself, and may not be framed or cached', async () => {
    const { headers, text } = await open((await receiveMail()).path);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'nonce-([^']+)'; style-src 'nonce-\1'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(text).toContain('<meta name="color-scheme" content="light dark">');
    expect(text).not.toMatch(/<style|style="|<script(?![^>]* nonce=)/);
    expect((await open('/dev/mail')).headers['content-security-policy']).not.toContain('frame-src');
  });

  it('the development inbox lists mails as JSON for its script, and finds the words of recipient, subject, kind and text', async () => {
    const { email, mail, path } = await receiveMail();
    const found = async (search: string) => {
      const query = `/dev/mail?search=${encodeURIComponent(search)}`;
      const { text, headers } = await open(query, { accept: 'application/json' });
      expect(headers.vary).toContain('Accept');
      return (JSON.parse(text) as { mails: { id: string; to: string; preview: string }[] }).mails;
    };
    const [only, ...others] = await found(email.toUpperCase());
    expect([only?.to, others]).toEqual([email, []]);
    expect(`/dev/mail/${only?.id ?? ''}`).toBe(path);
    expect(only?.preview.length).toBeLessThan(100);
    expect(await found(mail.token)).toHaveLength(1);
    expect((await found('password_reset')).length).toBeGreaterThan(0);
    expect(await found('no mail has these words')).toEqual([]);
  });

  it('the development inbox serves the HTML of a mail without any rights: no script, no form, no origin, nothing loaded', async () => {
    const { email, path } = await receiveMail();
    const { status, headers, text } = await open(`${path}/html`);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const sent = service.auth.inbox?.list().find(({ to }) => to === email)?.html ?? 'no mail';
    expect(text.replace('\n<base target="_blank">', '')).toBe(sent);
    expect((await open(path)).text).toContain(
      `<iframe src="${path}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"`,
    );
  });

  it('the development inbox shows the headers of a mail', async () => {
    const { email, mail, path } = await receiveMail();
    const { text } = await open(path);
    for (const value of [email, mail.subject, 'auto-generated', 'password_reset']) {
      expect(text).toContain(`<dd>${value}</dd>`);
    }
  });

  it('the development inbox has a page for a mail that does not exist', async () => {
    for (const path of ['/dev/mail/x', '/dev/mail/x/html']) {
      const { status, text } = await open(path);
      expect([status, text.includes('Mail not found')]).toEqual([404, true]);
    }
  });

  it('the development inbox does not exist for requests through a proxy or under another name', async () => {
    const strangers = [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { host: 'evil.example.net' },
      { host: 'localhost.evil.example.net:3097' },
    ];
    const { path } = await receiveMail();
    for (const headers of strangers) {
      for (const page of ['/dev/mail', path, `${path}/html`]) {
        expect(await service.api('GET', page, { headers })).toMatchObject(NOT_THERE);
      }
    }
    for (const host of ['localhost:3097', 'LOCALHOST', '127.0.0.1', '[::1]:3097', 'auth.localhost']) {
      expect((await open('/dev/mail', { host })).status).toBe(200);
    }
  });
});

it.skipIf(ON_NEXT)(
  'the development inbox does not exist under the public name, which a proxy on this machine may pass on unchanged',
  async () => {
    const env = { AUTH_BASE_URL: 'https://auth.example.com' };
    const proxied = await serviceForThisTest({ env });
    for (const host of ['auth.example.com', 'auth.example.com:443', 'AUTH.EXAMPLE.COM']) {
      expect(await proxied.api('GET', '/dev/mail', { headers: { host } })).toMatchObject(NOT_THERE);
    }
    expect((await proxied.client.send('GET', '/dev/mail')).status).toBe(200);
  },
);

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

it.skipIf(outside === undefined)('the development inbox does not exist for another machine', async () => {
  const exposed = await serviceForThisTest({ env: { HOST: '0.0.0.0' } });
  const { port } = new URL(exposed.url);
  const client = new ApiClient(`http://${outside ?? ''}:${port}`);
  const answer = await client.call('GET', '/dev/mail', { headers: { host: 'localhost' } });
  client.close();
  expect(answer).toMatchObject(NOT_THERE);
});

it('the development inbox does not exist when mail is really sent', async () => {
  const sending = await serviceForThisTest({ smtp: true });
  expect(sending.auth.inbox).toBeUndefined();
  expect(await sending.api('GET', '/dev/mail')).toMatchObject(NOT_THERE);
});
