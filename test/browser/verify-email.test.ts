import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
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
import { CHOSEN, registerWithLink } from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const FORM = ['Email', 'Password', 'Show password', 'Confirm'];
const UNUSABLE = 'This link has expired or was already used';
const DONE = 'Your registration is confirmed';

describeWithBrowser('the page that confirms a registration', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { REGISTRATION_APPROVAL: 'verified' } });
  });
  afterAll(() => service.stop());

  const open = async (token?: string) => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(`/verify-email${token === undefined ? '' : `?token=${token}`}`);
    return {
      visitor,
      page,
      password: page.getByLabel('Password', { exact: true }),
      confirm: page.getByRole('button', { name: 'Confirm' }),
    };
  };

  it('the mailed link and the chosen password confirm a registration', async () => {
    const { email, token } = await registerWithLink(service);
    const { page, password, confirm } = await open(token);
    await shown(page, 'Confirm your registration');
    await expectNoTokenInAddress(page);
    await page.reload();
    await inspectArrival(page, 'verify-email', FORM);
    await expectButtonsInForcedColors(page);
    await password.fill(CHOSEN);
    const calls = callsOf(page);
    await pressAtOnce(confirm, 5);
    await shown(page, DONE);
    expect(calls).toEqual(['POST /auth/email/verify']);
    await expect.poll(() => focused(page)).toBe(`H1 ${DONE}`);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'verify-email-done', ['Sign in']);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await new SignInForm(page).send({ email, password: CHOSEN });
    await atAccount(page);
  });

  it('opening the page changes nothing', async () => {
    const { id, token } = await registerWithLink(service);
    const { page } = await open(token);
    await shown(page, 'Confirm your registration');
    const [user] = await service.sql('SELECT approval_status, is_active FROM users WHERE id = $1', [id]);
    expect(user).toEqual({ approval_status: 'PENDING', is_active: false });
  });

  it('the page rejects a short new password beside the field and accepts a longer one', async () => {
    const { email, token } = await registerWithLink(service);
    const { visitor, page, password, confirm } = await open(token);
    expectAnswer(visitor, 400);
    await password.press('Enter');
    await said(page, 'Enter your password.');
    await password.fill('7 chars');
    await confirm.click();
    await page.locator('#password-error').filter({ hasText: '8' }).waitFor();
    await expect.poll(() => focused(page)).toBe('INPUT password');
    await inspect(page, 'verify-email-faulty', FORM);
    await password.fill('another long walk home');
    await confirm.click();
    await shown(page, DONE);
    const body = { email, password: 'another long walk home' };
    expect((await service.api('POST', '/auth/login', { body })).status).toBe(200);
  });

  it('the page keeps the input while the service is unreachable', async () => {
    const { token } = await registerWithLink(service);
    const { visitor, page, password, confirm } = await open(token);
    const reconnect = await cutOff(visitor, '**/auth/email/verify');
    await password.fill(CHOSEN);
    await confirm.click();
    await said(page, /^The service cannot be reached/);
    await inspect(page, 'verify-email-unreachable', FORM);
    await reconnect();
    await confirm.click();
    await shown(page, DONE);
  });

  it('the page explains an unusable or missing link', async () => {
    const { visitor, page } = await open('lke_unknown');
    expectAnswer(visitor, 400);
    await shown(page, UNUSABLE);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'verify-email-unusable', ['Sign in']);
    await shown((await open()).page, UNUSABLE);
  });
});

describeWithBrowser('the pages of a registration that staff approve', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const open = async (path: string, token?: string) => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(path + (token === undefined ? '' : `?token=${token}`));
    return { visitor, page, button: page.locator('[data-view]:visible').getByRole('button') };
  };

  it('one button confirms the address, and opening the page does not', async () => {
    const { id, token } = await registerWithLink(service);
    const { page, button } = await open('/verify-email', token);
    await shown(page, 'Confirm your email address');
    await expectNoTokenInAddress(page);
    await page.reload();
    await inspectArrival(page, 'verify-email-staff', ['Confirm']);
    await expectButtonsInForcedColors(page);
    const proved = () =>
      service.sql('SELECT email_verified_at IS NOT NULL AS proved FROM users WHERE id = $1', [id]);
    expect(await proved()).toEqual([{ proved: false }]);
    const calls = callsOf(page);
    await pressAtOnce(button, 5);
    await shown(page, 'Your email address is confirmed');
    expect(calls).toEqual(['POST /auth/email/verify']);
    expect(await proved()).toEqual([{ proved: true }]);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'verify-email-staff-done', []);
  });

  it('the page asks for the password when the service requires it after all', async () => {
    const { id, token } = await registerWithLink(service);
    const body = { approvalStatus: 'APPROVED', isActive: true };
    await service.machine('PATCH', `/internal/admin/users/${id}`, { body });
    const required = await serviceForThisTest({
      databaseUrl: service.databaseUrl,
      env: { EMAIL_VERIFICATION: 'required' },
    });
    const visitor = await browser.visit(required.publicUrl);
    expectAnswer(visitor, 400);
    const { page } = visitor;
    await page.goto(`/verify-email?token=${token}`);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await shown(page, 'Confirm your registration');
    await page.getByLabel('Password', { exact: true }).fill(CHOSEN);
    await page.locator('[data-view]:visible').getByRole('button', { name: 'Confirm' }).click();
    await shown(page, DONE);
  });

  it('the second link of the mail deletes the registration by one button, and opening the page does not', async () => {
    const { id, rejection } = await registerWithLink(service);
    const { visitor, page, button } = await open('/reject-registration', rejection);
    await shown(page, 'Did someone else register with your email?');
    await expectNoTokenInAddress(page);
    await page.reload();
    await inspectArrival(page, 'reject-registration', ['This was not me: delete it']);
    await expectButtonsInForcedColors(page);
    const users = () => service.sql('SELECT id FROM users WHERE id = $1 AND erased_at IS NULL', [id]);
    expect(await users()).toHaveLength(1);
    const reconnect = await cutOff(visitor, '**/auth/email/verify/reject');
    await button.click();
    await said(page, /^The service cannot be reached/);
    await inspect(page, 'reject-registration-unreachable', ['This was not me: delete it']);
    await reconnect();
    const calls = callsOf(page);
    await pressAtOnce(button, 5);
    await shown(page, 'The registration is deleted');
    expect(calls).toEqual(['POST /auth/email/verify/reject']);
    expect(await users()).toEqual([]);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'reject-registration-done', []);
  });

  it('the page explains an unusable or missing second link', async () => {
    const { visitor, page, button } = await open('/reject-registration', 'lke_unknown');
    expectAnswer(visitor, 400);
    await button.click();
    await shown(page, 'This link no longer works');
    await inspect(page, 'reject-registration-unusable', ['Sign in']);
    await shown((await open('/reject-registration')).page, 'This link no longer works');
  });
});
