import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  atAccount,
  cutOff,
  expectAnswer,
  focused,
  keptInTab,
  liveSessions,
  said,
  shown,
} from '../support/browser/people.js';
import {
  answer,
  choose,
  passFirstStep,
  shownRecoveryCodes,
  shownSecret,
  tabTo,
} from '../support/browser/second-step.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { InvitationClient } from '../support/invitation-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';
import { authenticatorApp, wrongCode, type Codes } from '../support/totp-codes.js';

const START = 'Set up two-step verification';
const SCAN = 'Add this account to your app';
const CODES = 'Save your recovery codes';
const EXPIRED = 'The second step took too long, or had too many wrong codes. Enter your password again.';

/** Waits for the field first: a focus on what is not visible yet is lost. */
async function answerInvitation(page: Page): Promise<void> {
  const password = page.getByLabel('Password', { exact: true });
  await password.waitFor();
  await password.focus();
  await answer(page, PASSWORD);
}

describeWithBrowser('setting up a second factor on the pages', (browser) => {
  let service: TestService;
  let testClient: InvitationClient;
  beforeAll(async () => {
    service = await startTestService({ env: { SECOND_FACTOR: 'all' } });
    testClient = await InvitationClient.open(service);
  });
  afterAll(() => service.stop());

  /** Signs in a user without a second factor, until the page asks to set one up. */
  const open = async () => {
    const user = await service.createUser();
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto('/login');
    await passFirstStep(page, user, START);
    return { user, visitor, page };
  };

  /** Sets up the app of the user by the key, by the keyboard alone. */
  const enrol = async (page: Page): Promise<Codes> => {
    await choose(page, 'BUTTON Set up');
    await shown(page, SCAN);
    const app = authenticatorApp(await shownSecret(page));
    await tabTo(page, 'INPUT enrol-code');
    await answer(page, app());
    await shown(page, CODES);
    return app;
  };

  it('a user sets up an app by the keyboard alone, and signs in with it and its recovery codes', async () => {
    const { user, page } = await open();
    await expect.poll(() => focused(page)).toBe(`H1 ${START}`);
    const app = await enrol(page);
    await expect.poll(() => focused(page)).toBe(`H1 ${CODES}`);
    const codes = await shownRecoveryCodes(page);
    expect(new Set(codes).size).toBe(10);
    await choose(page, "BUTTON I've saved the codes");
    await atAccount(page);
    expect(await shownRecoveryCodes(page)).toEqual([]);
    expect(await liveSessions(service, user.email)).toBe(1);
    await choose(page, 'BUTTON Sign out');
    for (const way of ['app', 'recovery code']) {
      await page.goto('/login');
      await passFirstStep(page, user);
      if (way === 'recovery code') await choose(page, 'BUTTON Use a recovery code');
      await answer(page, way === 'app' ? app(1) : (codes[9] ?? ''));
      await atAccount(page);
      await choose(page, 'BUTTON Sign out');
    }
  });

  it('the QR code, the key and the link carry the same secret, and the page forgets it', async () => {
    const { user, page } = await open();
    await choose(page, 'BUTTON Set up');
    await shown(page, SCAN);
    const picture = page.getByRole('img', { name: 'QR code for your authenticator app' });
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const secret = await shownSecret(page);
    expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const link = new URL((await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')) ?? '');
    expect([link.protocol, link.searchParams.get('secret')]).toEqual([
      'otpauth:',
      secret.replaceAll(' ', ''),
    ]);
    expect(decodeURIComponent(link.pathname)).toContain(user.email);
    await choose(page, 'BUTTON Use another account');
    await shown(page, 'Sign in');
    const content = await page.content();
    for (const part of [secret, secret.replaceAll(' ', ''), 'otpauth:', 'blob:'])
      expect(content).not.toContain(part);
  });

  it('the key and the recovery codes can be copied, and the codes downloaded and printed', async () => {
    const { user, page } = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await choose(page, 'BUTTON Set up');
    await shown(page, SCAN);
    await choose(page, 'BUTTON Copy the key');
    await page.getByRole('status').getByText('Copied.').waitFor();
    expect(await clipboard()).toBe((await shownSecret(page)).replaceAll(' ', ''));
    await tabTo(page, 'INPUT enrol-code');
    await answer(page, authenticatorApp(await clipboard())());
    await shown(page, CODES);
    const codes = await shownRecoveryCodes(page);
    await choose(page, 'BUTTON Copy');
    await page.getByRole('status').getByText('Copied.').waitFor();
    expect((await clipboard()).split('\n')).toEqual(codes);
    const downloaded = page.waitForEvent('download');
    await choose(page, 'BUTTON Download');
    const file = await downloaded;
    expect(file.suggestedFilename()).toBe('recovery-codes.txt');
    expect(await readFile(await file.path(), 'utf8')).toBe(
      [`Recovery codes of ${user.email} for Latchkey.`, 'Each signs in once.', '', ...codes, ''].join('\n'),
    );
    await page.evaluate(() => {
      window.print = () => void (document.body.dataset.printed = 'true');
    });
    await choose(page, 'BUTTON Print');
    expect(await page.locator('body').getAttribute('data-printed')).toBe('true');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').locator('visible=true').count()).toBe(0);
    expect(await page.locator('.codes li').last().isVisible()).toBe(true);
  });

  it('the key is selected if the browser does not allow to copy it', async () => {
    const { page } = await open();
    await choose(page, 'BUTTON Set up');
    await shown(page, SCAN);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await choose(page, 'BUTTON Copy the key');
    await page
      .getByRole('status')
      .getByText(/^Selected\./)
      .waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(await shownSecret(page));
  });

  it('a wrong code is reported, and the next one is accepted', async () => {
    const { visitor, page } = await open();
    await choose(page, 'BUTTON Set up');
    await shown(page, SCAN);
    const app = authenticatorApp(await shownSecret(page));
    expectAnswer(visitor, 401);
    await tabTo(page, 'INPUT enrol-code');
    await answer(page, wrongCode(app));
    await said(page, 'Incorrect code. Enter the newest code of the app.');
    await expect.poll(() => focused(page)).toBe('INPUT enrol-code');
    await answer(page, app());
    await shown(page, CODES);
  });

  it('a challenge that expires meanwhile leads back to the password, and nothing is set up', async () => {
    const { user, visitor, page } = await open();
    await choose(page, 'BUTTON Set up');
    await shown(page, SCAN);
    const app = authenticatorApp(await shownSecret(page));
    expectAnswer(visitor, 401);
    await service.sql(
      `UPDATE second_factor_challenges SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [user.id],
    );
    await tabTo(page, 'INPUT enrol-code');
    await answer(page, app());
    await said(page, EXPIRED);
    await answer(page, user.password);
    await shown(page, START);
    expect(await liveSessions(service, user.email)).toBe(0);
  });

  it('an unreachable service is reported, and the next attempt works', async () => {
    const { visitor, page } = await open();
    const reconnect = await cutOff(visitor, '**/second-factor/enrol');
    await choose(page, 'BUTTON Set up');
    await said(page, /^The service cannot be reached at the moment\./);
    await reconnect();
    await page.keyboard.press('Enter');
    await shown(page, SCAN);
  });

  it('a reload keeps the sign-in, and shows no recovery code again', async () => {
    const { page } = await open();
    await enrol(page);
    const [code = ''] = await shownRecoveryCodes(page);
    await page.reload();
    await shown(page, 'You are signed in');
    expect(await page.content()).not.toContain(code);
  });

  it('a new user who accepts an invitation sets up an app and is welcomed', async () => {
    const { token, email } = await testClient.invite({ metadata: { companyName: 'Acme' } });
    const { page } = await browser.visit(service.publicUrl);
    await page.goto(`/accept-invitation?token=${token}`);
    await answerInvitation(page);
    await shown(page, START);
    await said(page, email);
    await enrol(page);
    await choose(page, "BUTTON I've saved the codes");
    await shown(page, 'Welcome to Acme');
    expect(await keptInTab(page)).toEqual(['latchkey.invitation', 'latchkey.session']);
    expect(await liveSessions(service, email)).toBe(1);
  });

  it('a new user who sets up an app later has joined, and is led to the sign-in', async () => {
    const { token, email } = await testClient.invite({ metadata: { companyName: 'Acme' } });
    const { page } = await browser.visit(service.publicUrl);
    await page.goto(`/accept-invitation?token=${token}`);
    await answerInvitation(page);
    await shown(page, START);
    await choose(page, 'BUTTON Set up later');
    await shown(page, 'Welcome to Acme');
    await choose(page, 'A Sign in');
    await shown(page, 'Sign in');
    await passFirstStep(page, { email, password: PASSWORD }, START);
  });
});
