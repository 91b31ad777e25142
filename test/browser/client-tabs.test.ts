import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ageStoredSession,
  ClientPages,
  meFrom,
  signInFrom,
  stateOf,
  untilStatus,
} from '../support/browser/client-page.js';
import { expectAnswer, sessionCookies } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import type { Visitor } from '../support/browser/visitor.js';
import { rotationsOf } from '../support/rotations.js';
import { ScriptedProxy } from '../support/scripted-proxy.js';
import { startTestService, type TestService } from '../support/service.js';

const TABS = 5;

describeWithBrowser('the client in several tabs', (browser) => {
  let frontEnd: ClientPages;
  let service: TestService;
  let proxy: ScriptedProxy;
  beforeAll(async () => {
    frontEnd = await ClientPages.serve();
    service = await startTestService({
      env: { AUTH_WEB_COOKIE_MODE: 'true', CORS_ORIGINS: frontEnd.url },
    });
  });
  beforeEach(async () => {
    proxy = await ScriptedProxy.start(service.url);
    await frontEnd.connect(proxy.url);
  });
  afterEach(() => proxy.stop());
  afterAll(async () => {
    await frontEnd.stop();
    await service.stop();
  });

  /** Opens tabs of one browser whose user has signed in by the first. */
  async function signedInTabs(path: '/localStorage' | '/cookies') {
    const user = await service.createUser();
    const visitor = await browser.visit(frontEnd.url, { origins: [proxy.url] });
    const pages = [visitor.page];
    while (pages.length < TABS) pages.push(await visitor.context.newPage());
    await Promise.all(pages.map((page) => page.goto(path)));
    const first = visitor.page;
    await signInFrom(first, user);
    await Promise.all(pages.map((page) => untilStatus(page, 'signed_in')));
    return { user, visitor, pages, first };
  }

  /** Sends 50 requests at once, ten from each tab. */
  const fiftyFrom = async (pages: Page[]): Promise<string[]> =>
    (await Promise.all(pages.map((page) => meFrom(page, 50 / pages.length)))).flat();

  const ALL_OK = Array(50).fill('ok');

  describe.each(['due', 'refused'] as const)('with a token that is %s', (how) => {
    it('50 requests of five tabs cause one rotation, all succeed, and the user stays signed in', async () => {
      const { user, visitor, pages, first } = await signedInTabs('/localStorage');
      if (how === 'refused') expectAnswer(visitor, 401);
      await ageStoredSession(first, how);
      expect(await fiftyFrom(pages)).toEqual(ALL_OK);
      expect(await rotationsOf(service, user.email)).toBe(1);
      expect(proxy.count('POST /auth/refresh')).toBe(1);
      const states = await Promise.all(pages.map(stateOf));
      expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['signed_in']));
    });
  });

  it('in cookie mode, too, and no script sees a token', async () => {
    const { user, visitor, pages, first } = await signedInTabs('/cookies');
    await visitor.context.clearCookies({ name: '__Host-lk_access' });
    expectAnswer(visitor, 401);
    expect(await fiftyFrom(pages)).toEqual(ALL_OK);
    expect(await rotationsOf(service, user.email)).toBe(1);
    const kept = await first.evaluate(() => document.cookie + JSON.stringify(localStorage));
    expect(kept).not.toMatch(/eyJ|lkr_/);
    expect(await first.evaluate(() => window.client.session.accessToken())).toBeUndefined();
  });

  it('a revoked session ends in all tabs by the request of one', async () => {
    const { user, visitor, pages, first } = await signedInTabs('/localStorage');
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    expectAnswer(visitor, 401);
    expect(await meFrom(first, 1)).toEqual(['session_revoked']);
    await Promise.all(pages.map((page) => untilStatus(page, 'signed_out')));
    expect(await stateOf(pages[4]!)).toEqual({ status: 'signed_out', reason: 'revoked' });
  });

  it.each(['/localStorage', '/cookies'] as const)('a sign-out by one tab of %s ends all', async (path) => {
    const { visitor, pages, first } = await signedInTabs(path);
    expect(await pages[1]!.evaluate(async () => (await window.client.signOut()).ok)).toBe(true);
    await Promise.all(pages.map((page) => untilStatus(page, 'signed_out')));
    expect(await first.evaluate(() => Object.keys(localStorage))).toEqual([]);
    expect(await sessionCookies(visitor.context, proxy.url)).toEqual([]);
  });

  it('a page that is opened later continues the session of the others', async () => {
    const { visitor, user } = await signedInTabs('/localStorage');
    const later = await visitor.context.newPage();
    await later.goto('/localStorage');
    expect((await stateOf(later)).status).toBe('signed_in');
    expect(await later.evaluate(async () => (await window.client.me()).data?.email)).toBe(user.email);
  });

  it('in cookie mode a page finds a session that it has no record of', async () => {
    const { visitor, first } = await signedInTabs('/cookies');
    await first.evaluate(() => localStorage.clear());
    const later = await visitor.context.newPage();
    await later.goto('/cookies');
    expect(await later.evaluate(() => window.client.session.ready())).toMatchObject({ status: 'signed_in' });
  });

  it('in cookie mode a page without a session finds that out', async () => {
    const visitor = await browser.visit(frontEnd.url, { origins: [proxy.url] });
    await visitor.page.goto('/cookies');
    const state = await visitor.page.evaluate(() => window.client.session.ready());
    expect(state).toEqual({ status: 'signed_out', reason: 'none' });
  });

  describe('a request', () => {
    const inTab = async (): Promise<{ visitor: Visitor; first: Page }> => signedInTabs('/localStorage');

    it('offline is a network failure, and the user is still signed in afterwards', async () => {
      const { visitor, first } = await inTab();
      await ageStoredSession(first, 'due');
      visitor.expectFault(/ERR_INTERNET_DISCONNECTED/);
      await visitor.context.setOffline(true);
      expect(await meFrom(first, 3)).toEqual(Array(3).fill('network_failure'));
      expect((await stateOf(first)).status).toBe('signed_in');
      await visitor.context.setOffline(false);
      expect(await meFrom(first, 3)).toEqual(Array(3).fill('ok'));
    });

    it.each([429, 503])('that gets a %d is sent again after Retry-After', async (status) => {
      const { visitor, first } = await inTab();
      expectAnswer(visitor, status);
      proxy.follow((_route, earlier) => (earlier === 0 ? { status, retryAfter: 1 } : undefined));
      expect(await meFrom(first, 1)).toEqual(['ok']);
      expect(proxy.count('GET /auth/me')).toBe(2);
    });
  });
});
