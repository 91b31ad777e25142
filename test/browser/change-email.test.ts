import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import {
  callsOf,
  cutOff,
  expectAnswer,
  keptInTab,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { startTestService, type TestService } from '../support/service.js';

const UNUSABLE = 'This link no longer works';

describeWithBrowser('the pages of a change of address', (browser) => {
  let service: TestService;
  let changes: EmailChangeClient;
  beforeAll(async () => {
    service = await startTestService();
    changes = new EmailChangeClient(service);
  });
  afterAll(() => service.stop());

  const open = async (path: string, token?: string) => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(path + (token === undefined ? '' : `?token=${token}`));
    return { visitor, page, button: page.locator('[data-view]:visible').getByRole('button') };
  };

  it('one button confirms the new address, and opening the page does not', async () => {
    const user = await service.signedIn();
    const { newEmail, token } = await changes.requested(user.accessToken);
    const { visitor, page, button } = await open('/change-email', token);
    await shown(page, 'Use this email address from now on?');
    await said(page, newEmail);
    await said(page, /^[a-z0-9]•••@example\.com$/);
    expect(await page.content()).not.toContain(user.email);
    await expectNoTokenInAddress(page);
    await page.reload();
    await inspectArrival(page, 'change-email', ['Use this address']);
    await expectButtonsInForcedColors(page);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    const reconnect = await cutOff(visitor, '**/auth/email/change/confirm');
    await button.click();
    await said(page, /^The service cannot be reached/);
    await inspect(page, 'change-email-unreachable', ['Use this address']);
    await reconnect();
    const calls = callsOf(page);
    await pressAtOnce(button, 5);
    await shown(page, 'Your email address is changed');
    expect(calls).toEqual(['POST /auth/email/change/confirm']);
    expect(await changes.emailOf(user.id)).toBe(newEmail);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'change-email-done', ['Sign in']);
  });

  it('the page explains an address that was taken meanwhile, and an unusable or missing link', async () => {
    const user = await service.signedIn();
    const { newEmail, token } = await changes.requested(user.accessToken);
    await service.createUser({ email: newEmail });
    const taken = await open('/change-email', token);
    expectAnswer(taken.visitor, 409);
    await taken.button.click();
    await shown(taken.page, 'This email address has another account');
    await inspect(taken.page, 'change-email-taken', ['Sign in']);
    const { visitor, page, button } = await open('/change-email', 'lke_unknown');
    expectAnswer(visitor, 400);
    await shown(page, UNUSABLE);
    expect(await button.count()).toBe(0);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'change-email-unusable', ['Sign in']);
    await shown((await open('/change-email')).page, UNUSABLE);
  });

  it('one button undoes a change, opening the page does not, and the way goes on to a new password', async () => {
    const user = await service.signedIn();
    const { newEmail, undo } = await changes.changed(user);
    const { page, button } = await open('/undo-email-change', undo);
    await shown(page, 'Take your account back?');
    await said(page, user.email);
    expect(await page.content()).not.toContain(newEmail);
    await expectNoTokenInAddress(page);
    await page.reload();
    await inspectArrival(page, 'undo-email-change', ['Undo the change']);
    await expectButtonsInForcedColors(page);
    expect(await changes.emailOf(user.id)).toBe(newEmail);
    const calls = callsOf(page);
    await pressAtOnce(button, 5);
    await shown(page, 'Your email address is restored');
    expect(calls).toEqual(['POST /auth/email/change/undo']);
    expect(await changes.emailOf(user.id)).toBe(user.email);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'undo-email-change-done', ['Choose a new password']);
    await page.getByRole('link', { name: 'Choose a new password' }).click();
    await shown(page, 'Reset your password');
  });

  it('the page that undoes a change explains an unusable or missing link', async () => {
    const { visitor, page } = await open('/undo-email-change', 'lke_unknown');
    expectAnswer(visitor, 400);
    await shown(page, UNUSABLE);
    await inspect(page, 'undo-email-change-unusable', ['Sign in']);
    await shown((await open('/undo-email-change')).page, UNUSABLE);
  });
});
