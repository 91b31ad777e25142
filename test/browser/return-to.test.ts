import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOf, pressAtOnce, shown } from '../support/browser/people.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { startTestService, type TestService } from '../support/service.js';

const APP_PAGE = { body: '<h1>The web app</h1>' };

/** The visit fails if one of them is requested. */
const STRANGERS = [
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(document.domain)',
  'data:text/html,<script>alert(1)</script>',
  'http://localhost@evil.example/portal',
];

describeWithBrowser('after signing in', (browser) => {
  let webApp: PlantedPages;
  let service: TestService;
  beforeAll(async () => {
    webApp = await PlantedPages.serve({
      '/portal': APP_PAGE,
      '/portal/deep': APP_PAGE,
      '/portalling': APP_PAGE,
    });
    service = await startTestService({ env: { WEB_APP_URL: `${webApp.url}/portal` } });
  });
  afterAll(async () => {
    await webApp.stop();
    await service.stop();
  });

  const signInBoundFor = async (returnTo?: string) => {
    const { page } = await browser.visit(service.publicUrl, { origins: [webApp.url] });
    const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
    await page.goto(`/login${query}`);
    await new SignInForm(page).send(await service.createUser());
    return page;
  };

  it('the user goes to the web app', async () => {
    const page = await signInBoundFor();
    await page.waitForURL(`${webApp.url}/portal`);
  });

  it('the user returns to a page of the web app', async () => {
    const page = await signInBoundFor(`${webApp.url}/portal/deep?a=b#c`);
    await page.waitForURL(`${webApp.url}/portal/deep?a=b#c`);
  });

  it('the user returns to a page of this host', async () => {
    const page = await signInBoundFor('/reset-password?x=y');
    await page.waitForURL(`${service.publicUrl}/reset-password?x=y`);
  });

  it('a user who is already signed in decides when to continue', async () => {
    const page = await signInBoundFor('/login?once=more');
    await shown(page, 'You are signed in');
    await page.goto('/login?returnTo=/reset-password');
    await shown(page, 'You are signed in');
    const link = page.getByRole('link', { name: 'Continue' });
    const tab = page.context().waitForEvent('page');
    await link.click({ modifiers: ['ControlOrMeta'] });
    await shown(await tab, 'Reset your password');
    await link.click();
    await page.waitForURL(`${service.publicUrl}/reset-password`);
  });

  it('nothing is sent twice while the web app is slow, and a restored page starts again', async () => {
    const { page } = await browser.visit(service.publicUrl, { origins: [webApp.url] });
    // An answer without content leaves the browser on the page, as one that has not come yet does.
    await page.route(`${webApp.url}/portal`, (route) => route.fulfill({ status: 204 }));
    const isLeaving = page.waitForResponse(`${webApp.url}/portal`);
    const calls = callsOf(page);
    await page.goto('/login');
    const form = new SignInForm(page);
    const user = await service.createUser();
    await form.send(user);
    await isLeaving;
    await pressAtOnce(page.locator('button[type=submit]:visible'), 2);
    expect(calls).toEqual(['POST /auth/login', 'POST /auth/logout']);
    const isBack = page.waitForEvent('domcontentloaded');
    await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await isBack;
    expect([await form.email.inputValue(), await form.password.inputValue()]).toEqual([user.email, '']);
  });

  it('no other address is followed', async () => {
    const { page } = await browser.visit(service.publicUrl, { origins: [webApp.url] });
    const user = await service.createUser();
    for (const returnTo of [...STRANGERS, `${webApp.url}/portalling`, `${webApp.url}/`]) {
      await page.goto(`/login?returnTo=${encodeURIComponent(returnTo)}`);
      await new SignInForm(page).send(user);
      await page.waitForURL(`${webApp.url}/portal`);
    }
  });
});
