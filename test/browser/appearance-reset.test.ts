import { afterAll, beforeAll, it } from 'vitest';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { cutOff, expectAnswer, said, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';

const REQUEST = ['Email', 'Send reset link', 'Back to sign-in'];
const PASSWORD = ['New password', 'Show password', 'Reset password'];

describeWithBrowser('appearance of the password reset page', (browser) => {
  let service: TestService;
  let resets: ResetClient;
  beforeAll(async () => {
    service = await startTestService();
    resets = new ResetClient(service);
  });
  afterAll(() => service.stop());

  const open = async (query = '') => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(`/reset-password${query}`);
    return {
      visitor,
      page,
      email: page.getByLabel('Email', { exact: true }),
      password: page.getByLabel('New password', { exact: true }),
    };
  };

  it('the request form is accessible in every state', async () => {
    const { visitor, page, email } = await open();
    await inspectArrival(page, 'reset-request', REQUEST);
    await expectButtonsInForcedColors(page);
    await email.press('Enter');
    await said(page, 'Enter your email.');
    await inspect(page, 'reset-request-faulty', REQUEST);
    const reconnect = await cutOff(visitor, '**/auth/password-reset/request');
    await email.fill('ada@example.com');
    await email.press('Enter');
    await page.getByRole('alert').waitFor();
    await inspect(page, 'reset-request-unreachable', REQUEST);
    await reconnect();
    await email.press('Enter');
    await shown(page, 'Check your email');
    await inspect(page, 'reset-sent', ['Use another email', 'Back to sign-in']);
  });

  it('the form for a new password is accessible in every state', async () => {
    const { token } = await resets.userWithToken();
    const { page, password } = await open(`?token=${token}`);
    await shown(page, 'Choose a new password');
    await inspectArrival(page, 'reset-password', PASSWORD);
    await password.pressSequentially('7 chars');
    await password.press('Enter');
    await said(page, 'Use at least 8 characters.');
    await inspect(page, 'reset-password-faulty', PASSWORD);
    await password.fill('Summer2024');
    await said(page, 'Easy to guess: it is a common password. In production it would be refused.');
    await inspect(page, 'reset-password-weak', PASSWORD);
    await password.fill(NEW_PASSWORD);
    await password.press('Enter');
    await shown(page, 'Your password has been reset');
    await inspect(page, 'reset-done', ['Sign in']);
  });

  it('the page of an unusable link is accessible', async () => {
    const { visitor, page, password } = await open('?token=lkp_unknown');
    expectAnswer(visitor, 400);
    await password.fill(NEW_PASSWORD);
    await password.press('Enter');
    await shown(page, 'This link has expired or was already used');
    await inspect(page, 'reset-unusable', ['Request a new link']);
  });
});
