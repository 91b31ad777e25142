import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { inspect } from '../support/browser/inspect.js';
import { atAccount, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { startTestService, type TestService } from '../support/service.js';

const TRUST = "Don't ask again on this device for 30 days";

describeWithBrowser('a trusted device', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { AUTH_WEB_COOKIE_MODE: 'true', TRUSTED_DEVICE_DAYS: '30' } });
  });
  afterAll(() => service.stop());

  it('the user ticks it, signs in without a code, removes it on the account page, and is asked again', async () => {
    const { id, email, password } = await service.createUser();
    const factor = await enrolFactor(service.sql.bind(service), id);
    const { page } = await browser.visit(service.publicUrl);
    const signIn = async () => {
      await page.goto('/login');
      await page.getByLabel('Email', { exact: true }).fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    const signOut = async () => {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await shown(page, 'You are signed out');
    };

    await signIn();
    await shown(page, 'Two-step verification');
    await inspect(page, 'trust-offered', [
      `${TRUST} Choose this only on a device of your own.`,
      'Code',
      'Verify',
      'Use a recovery code',
      'Use another account',
    ]);
    await page.getByLabel(TRUST).check();
    await page.getByLabel('Code', { exact: true }).fill(factor.code());
    await atAccount(page);

    await signOut();
    await signIn();
    await atAccount(page);

    await page.goto('/account#security');
    await page.getByRole('heading', { name: 'Trusted devices' }).waitFor();
    const devices = page.getByRole('list', { name: 'Trusted devices' });
    await devices.getByText('last used').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'trusted-devices');
    await devices.getByRole('button', { name: /^Remove / }).click();
    await page.getByText('You trust no device.').waitFor();
    expect(await service.sql('SELECT 1 FROM trusted_devices WHERE user_id = $1', [id])).toEqual([]);

    await signOut();
    await signIn();
    await shown(page, 'Two-step verification');
  });
});
