import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionCookies } from '../support/browser/people.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { startTestService, type TestService } from '../support/service.js';

interface Call {
  url: string;
  method?: string;
  body?: object;
}

/** Calls the service from a script of a page in cookie mode. Returns the status, or 0 if the browser hides the response. */
const call = (page: Page, { url, method = 'POST', body }: Call) =>
  page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, { ...init, credentials: 'include' });
        return { status: response.status, text: await response.text() };
      } catch {
        return { status: 0, text: '' };
      }
    },
    {
      url,
      init: {
        method,
        headers: { 'X-Auth-Mode': 'cookie', ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      },
    },
  );

const cookiesThatScriptsSee = (page: Page): Promise<string> => page.evaluate(() => document.cookie);

describeWithBrowser('cookie mode in a browser', (browser) => {
  let frontEnd: PlantedPages;
  let stranger: PlantedPages;
  let service: TestService;
  beforeAll(async () => {
    frontEnd = await PlantedPages.serve({ '/': { body: '<p>Front end</p>' } });
    stranger = await PlantedPages.serve({ '/': { body: '<p>Stranger</p>' } });
    service = await startTestService({
      env: { AUTH_WEB_COOKIE_MODE: 'true', CORS_ORIGINS: frontEnd.url },
    });
  });
  afterAll(async () => {
    await Promise.all([frontEnd.stop(), stranger.stop()]);
    await service.stop();
  });

  it('a front end of the same site signs in, refreshes and signs out without ever seeing a token', async () => {
    const { email, password } = await service.createUser();
    const visitor = await browser.visit(frontEnd.url, { origins: [service.publicUrl] });
    const { page } = visitor;
    await page.goto('/');
    const at = (path: string): string => service.publicUrl + path;

    const login = await call(page, { url: at('/auth/login'), body: { email, password } });
    expect(login).toMatchObject({ status: 200 });
    expect(login.text).not.toMatch(/eyJ|lkr_/);
    expect(await cookiesThatScriptsSee(page)).toBe('lk_state=1');

    const kept = await sessionCookies(visitor.context, service.publicUrl);
    expect(kept.map(({ name }) => name).sort()).toEqual([
      '__Host-lk_access',
      '__Host-lk_refresh',
      'lk_state',
    ]);

    expect((await call(page, { url: at('/auth/me'), method: 'GET' })).text).toContain(email);
    expect((await call(page, { url: at('/auth/refresh') })).status).toBe(200);
    const renewed = await sessionCookies(visitor.context, service.publicUrl);
    expect(renewed.map(({ value }) => value)).not.toEqual(kept.map(({ value }) => value));

    expect((await call(page, { url: at('/auth/logout') })).status).toBe(200);
    expect(await sessionCookies(visitor.context, service.publicUrl)).toEqual([]);
    expect(await cookiesThatScriptsSee(page)).toBe('');
  });

  it('a page of another origin neither reads nor changes anything with the cookies', async () => {
    const user = await service.createUser();
    const visitor = await browser.visit(frontEnd.url, { origins: [service.publicUrl, stranger.url] });
    const { page } = visitor;
    await page.goto('/');
    const url = `${service.publicUrl}/auth/logout-all`;
    const { email, password } = user;
    await call(page, { url: `${service.publicUrl}/auth/login`, body: { email, password } });
    visitor.expectFault(/blocked by CORS policy/);
    visitor.expectFault(/failed request/);
    visitor.expectFault(/Failed to load resource/);
    await page.goto(stranger.url);

    expect((await call(page, { url })).status).toBe(0);
    expect((await call(page, { url: `${service.publicUrl}/auth/me`, method: 'GET' })).status).toBe(0);
    await page.evaluate(
      (url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined),
      url,
    );
    const live = await service.sql('SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked', [user.id]);
    expect(live).toHaveLength(1);
  });
});
