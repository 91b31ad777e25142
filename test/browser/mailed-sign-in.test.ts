import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import { inspect, inspectArrival } from '../support/browser/inspect.js';
import { atAccount, callsOf, expectAnswer, said, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { startTestService, type TestService } from '../support/service.js';

const REQUEST = ['Email', 'Send the mail', 'Sign in another way'];
const SENT = ['Code', 'Sign in', 'Use another email', 'Sign in another way'];

describeWithBrowser('the sign-in by mail', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { MAILED_SIGN_IN: 'on' } });
  });
  afterAll(() => service.stop());

  const visit = async () => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    return { visitor, page, code: page.getByLabel('Code', { exact: true }) };
  };

  /** Asks for the mail on the sign-in page. */
  const ask = async (email: string, path = '/login') => {
    const opened = await visit();
    const { page } = opened;
    await page.goto(path);
    await page.getByRole('link', { name: 'Sign in by email' }).click();
    await page.getByRole('button', { name: 'Send the mail' }).waitFor();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Email', { exact: true }).press('Enter');
    await shown(page, 'Check your inbox');
    return { ...opened, link: new URL((await service.mailTo(email)).link) };
  };

  it('the link signs in the browser that asked, and leads on to the target', async () => {
    const { email } = await service.createUser();
    const { page, link } = await ask(email, '/login?returnTo=/account');
    await said(page, email);
    await page.goto(link.href);
    await page.waitForURL('**/account');
    await shown(page, 'Profile');
    expect(await page.evaluate(() => localStorage.getItem('latchkey.mailed-sign-in'))).toBeNull();
  });

  it('any other browser shows the code and calls nothing, and the code signs in where it was asked for', async () => {
    const { email } = await service.createUser();
    const { page, code, link, visitor } = await ask(email);
    const elsewhere = await visit();
    const calls = callsOf(elsewhere.page);
    await elsewhere.page.goto(link.href);
    await shown(elsewhere.page, 'Type this code where you began');
    const typed = await elsewhere.page.locator('.secret code').innerText();
    expect(typed).toBe(link.hash.slice(1));
    await expectNoTokenInAddress(elsewhere.page);
    expect(calls).toEqual([]);
    await inspectArrival(elsewhere.page, 'mailed-elsewhere', []);

    expectAnswer(visitor, 401);
    await code.fill('WRNG-C0DE');
    await code.press('Enter');
    await said(page, "This code doesn't work: it is wrong, was used, or has expired.");
    await code.fill(typed.toLowerCase());
    await code.press('Enter');
    await atAccount(page);
  });

  it('a second factor is asked for after the link', async () => {
    const { id, email } = await service.createUser();
    const factor = await enrolFactor(service.sql.bind(service), id);
    const { page, link } = await ask(email);
    await page.goto(link.href);
    await said(page, email);
    await page.getByRole('textbox').fill(factor.code());
    await atAccount(page);
  });

  it('a link that was used says so, and leads to a new mail', async () => {
    const { email } = await service.createUser();
    const { page, link, visitor } = await ask(email);
    await service.sql('UPDATE mailed_sign_ins SET used_at = now()');
    expectAnswer(visitor, 401);
    await page.goto(link.href);
    await shown(page, "This link doesn't sign you in");
    await inspect(page, 'mailed-unusable', ['Get a new mail']);
    await page.getByRole('button', { name: 'Get a new mail' }).click();
    await page.getByRole('button', { name: 'Send the mail' }).waitFor();
  });

  it('the forms are accessible in every state', async () => {
    const { email } = await service.createUser();
    const { page, visitor } = await visit();
    await page.goto('/login?by=mail');
    await inspectArrival(page, 'mailed-request', REQUEST);
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await said(page, 'Enter your email.');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Email', { exact: true }).press('Enter');
    await shown(page, 'Check your inbox');
    await inspect(page, 'mailed-sent', SENT);
    expectAnswer(visitor, 401);
    await page.getByLabel('Code', { exact: true }).fill('WRNG-C0DE');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await said(page, "This code doesn't work");
    await inspect(page, 'mailed-wrong', SENT);
  });
});
