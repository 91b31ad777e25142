import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import {
  atAccount,
  callsOf,
  cutOff,
  expectAnswer,
  focused,
  keptInTab,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const CONFIRM = 'POST /auth/password-reset/confirm';
const UNUSABLE = 'This link has expired or was already used';

describeWithBrowser('the password reset page', (browser) => {
  let service: TestService;
  let resets: ResetClient;
  beforeAll(async () => {
    service = await startTestService({ env: { PASSWORD_BLOCKLIST: 'true' } });
    resets = new ResetClient(service);
  });
  afterAll(() => service.stop());

  const open = async (path: string, home = service.publicUrl) => {
    const visitor = await browser.visit(home);
    const { page } = visitor;
    await page.goto(path);
    return {
      visitor,
      page,
      email: page.getByLabel('Email', { exact: true }),
      ask: page.getByRole('button', { name: 'Send reset link' }),
      password: page.getByLabel('New password', { exact: true }),
      set: page.getByRole('button', { name: 'Reset password' }),
    };
  };

  const openWithToken = async () => {
    const user = await resets.userWithToken();
    return { user, ...(await open(`/reset-password?token=${user.token}`)) };
  };

  it('the mailed link sets a new password that signs in', async () => {
    const user = await service.createUser();
    const { page, email, ask, password, set } = await open('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await shown(page, 'Reset your password');
    await email.fill(user.email);
    await email.press('Enter');
    await shown(page, 'Check your email');
    await said(page, user.email);
    await expect.poll(() => focused(page)).toBe('H1 Check your email');

    await page.goto((await service.mailTo(user.email)).link);
    await shown(page, 'Choose a new password');
    await expectNoTokenInAddress(page);
    await page.reload();
    await password.fill(NEW_PASSWORD);
    await set.click();
    await shown(page, 'Your password has been reset');
    expect(await keptInTab(page)).toEqual([]);

    await page.getByRole('link', { name: 'Sign in' }).click();
    await new SignInForm(page).send({ email: user.email, password: NEW_PASSWORD });
    await atAccount(page);
    expect(await ask.count()).toBe(0);
  });

  describe('an unusable link', () => {
    it('an unusable link is reported on submission, with a way to a new link', async () => {
      const { visitor, page, password, set, email } = await open('/reset-password?token=lkp_unknown');
      expectAnswer(visitor, 400);
      await password.fill(NEW_PASSWORD);
      await set.click();
      await shown(page, UNUSABLE);
      expect(await keptInTab(page)).toEqual([]);
      await page.getByRole('button', { name: 'Request a new link' }).click();
      await shown(page, 'Reset your password');
      expect(await email.isVisible()).toBe(true);
      await page.reload();
      await shown(page, 'Reset your password');
    });

    it('an unusable link is reported if it was used in the meantime', async () => {
      const { visitor, page, user, password, set } = await openWithToken();
      await resets.confirm(user.token);
      expectAnswer(visitor, 400);
      await password.fill('another new password');
      await set.click();
      await shown(page, UNUSABLE);
      expect((await resets.login(user.email, NEW_PASSWORD)).status).toBe(200);
    });
  });

  describe('a new password', () => {
    it('a new password is reported beside the field if it is too short, and nothing is sent', async () => {
      const { page, password, set } = await openWithToken();
      const calls = callsOf(page);
      await password.pressSequentially('7 chars');
      await set.click();
      expect(await page.locator('#newPassword-error').innerText()).toBe('Use at least 8 characters.');
      await expect.poll(() => focused(page)).toBe('INPUT newPassword');
      expect(calls).toEqual([]);
    });

    it('a new password is rejected beside the field if it is common, and the link still works', async () => {
      const { visitor, page, password, set } = await openWithToken();
      expectAnswer(visitor, 400);
      await password.fill('password1');
      await set.click();
      await said(page, 'Choose a password that is harder to guess.');
      await password.fill(NEW_PASSWORD);
      await set.click();
      await shown(page, 'Your password has been reset');
    });

    it('a new password is submitted once, however often the button is pressed', async () => {
      const { page, password, set } = await openWithToken();
      const calls = callsOf(page);
      await password.fill(NEW_PASSWORD);
      await pressAtOnce(set, 5);
      await shown(page, 'Your password has been reset');
      expect(calls).toEqual([CONFIRM]);
    });

    it('a new password is kept while the service is unreachable', async () => {
      const { visitor, page, password, set } = await openWithToken();
      const reconnect = await cutOff(visitor, '**/auth/password-reset/confirm');
      await password.fill(NEW_PASSWORD);
      await set.click();
      await said(page, /^The service cannot be reached/);
      await reconnect();
      await set.click();
      await shown(page, 'Your password has been reset');
    });
  });

  it('the page looks the same without an account', async () => {
    const user = await service.createUser();
    const texts: string[] = [];
    for (const address of [user.email, 'unknown@example.com']) {
      const { page, email, ask } = await open('/reset-password');
      await email.fill(address);
      await ask.click();
      await shown(page, 'Check your email');
      texts.push((await page.locator('main').innerText()).replaceAll(address, '…'));
    }
    expect(texts[0]).toBe(texts[1]);
    expect(service.mailsTo('unknown@example.com')).toEqual([]);
  });

  it('the mail can be sent again, once a count-down has ended', async () => {
    const user = await service.createUser();
    const { page, email, ask } = await open('/reset-password');
    await page.clock.install();
    await page.reload();
    await email.fill(user.email);
    await ask.click();
    await shown(page, 'Check your email');
    const again = page.getByRole('button', { name: /^Send again/ });
    // The clock of the page goes on: on a loaded machine some seconds have passed.
    expect(await again.innerText()).toMatch(/^Send again in (?:30|2\d) seconds$/);
    expect(await again.isDisabled()).toBe(true);
    await page.clock.fastForward('00:29');
    expect(await again.innerText()).toMatch(/^Send again(?: in a second)?$/);
    await page.clock.fastForward('00:02');
    expect(await again.innerText()).toBe('Send again');
    const calls = callsOf(page);
    await again.click();
    await said(page, 'Sent again.');
    expect(calls).toEqual(['POST /auth/password-reset/request']);
    expect(await again.isDisabled()).toBe(true);
  });

  it('the strength of the new password is shown while it is typed, and what is wrong is said once', async () => {
    const { page, password, set } = await openWithToken();
    const rule = page.locator('#newPassword-hint');
    const strength = page.locator('[data-strength-of=newPassword]');
    await password.pressSequentially('Summ');
    expect([await rule.getAttribute('class'), await strength.innerText()]).toEqual(['hint rule', '']);
    await password.pressSequentially('er2024');
    expect([await rule.getAttribute('class'), await strength.innerText()]).toEqual([
      'hint rule met',
      'Easy to guess: it is a common password.',
    ]);
    await password.fill('a long walk home in the rain');
    expect([await strength.innerText(), await strength.getAttribute('data-level')]).toEqual([
      'Strong password.',
      '4',
    ]);
    await password.fill('');
    await password.pressSequentially('7 chars');
    await set.click();
    await said(page, 'Use at least 8 characters.');
    expect(await rule.isVisible()).toBe(false);
    await password.pressSequentially('8');
    expect(await rule.isVisible()).toBe(true);
  });

  it('the user can correct a mistyped email', async () => {
    const { page, email, ask } = await open('/reset-password');
    await email.fill('unknown@example.com');
    await ask.click();
    await page.getByRole('button', { name: 'Use another email' }).click();
    await shown(page, 'Reset your password');
    expect(await email.inputValue()).toBe('unknown@example.com');
  });

  it('the page reports too many requests', async () => {
    const strict = await serviceForThisTest();
    const body = { email: 'unknown@example.com' };
    await Promise.all(
      Array.from({ length: 60 }, () => strict.client.send('POST', '/auth/password-reset/request', { body })),
    );
    const { visitor, page, email, ask } = await open('/reset-password', strict.publicUrl);
    expectAnswer(visitor, 429);
    await email.fill('unknown@example.com');
    await ask.click();
    await said(page, /^Too many attempts\. Please wait \d+ seconds/);
    expect(await ask.isDisabled()).toBe(true);
  });
});
