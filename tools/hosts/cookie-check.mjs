import assert from 'node:assert/strict';
import { ANN, query } from './host-database.mjs';

/** A browser with the cookies of the service, as far as the checks need one. */
class Browser {
  #base;
  #cookies = new Map();

  constructor(base) {
    this.#base = base;
  }

  async send(path, { json, ...headers } = {}) {
    const response = await fetch(this.#base + path, {
      redirect: 'manual',
      headers: {
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
        ...(json && { origin: this.#base, 'x-auth-mode': 'cookie', 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      this.#cookies.set(name, value);
    }
    return response;
  }
}

/**
 * Checks pages that a framework renders for the session of the browser: redirected without one, a form when the sign-in is too
 * old, and the page after the password.
 */
export async function assertCookiePages(base, plainUrl) {
  const { email, fullName, password } = ANN;
  const browser = new Browser(base);
  const anonymous = await browser.send('/payments');
  assert.equal(anonymous.status, 307);
  const { pathname, search } = new URL(anonymous.headers.get('location'), base);
  assert.equal(pathname + search, '/identity/login?returnTo=%2Fpayments');

  const signedIn = await browser.send('/identity/auth/login', { json: { email, password } });
  assert.equal(signedIn.status, 200, await signedIn.text());
  const payments = async () => (await browser.send('/payments')).text();
  assert.match(await payments(), new RegExp(fullName));
  assert.equal((await browser.send('/hello')).status, 200);

  await query(plainUrl, "UPDATE latchkey.sessions SET auth_time = now() - interval '1 hour'");
  const refreshed = await browser.send('/identity/auth/refresh', { json: {} });
  assert.equal(refreshed.status, 200, await refreshed.text());
  assert.match(await payments(), /Confirm your password/);
  const stale = await browser.send('/notes', { json: { text: 'Call Ben' } });
  assert.equal((await stale.json()).error.code, 'reauthentication_required');

  const accept = 'application/problem+json';
  const wrong = await browser.send('/identity/auth/step-up', { json: { password: '' }, accept });
  assert.equal((await wrong.json()).errors[0].pointer, '/password');
  const raised = await browser.send('/identity/auth/step-up', { json: { password }, accept });
  assert.equal(raised.status, 200, await raised.text());
  assert.match(await payments(), new RegExp(fullName));
}
