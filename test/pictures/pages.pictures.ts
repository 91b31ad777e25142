import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFresh } from '../support/browser/account-page.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { passkeySettings } from '../support/browser/virtual-authenticator.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertPasskey } from '../support/test-passkeys.js';
import { takePicture } from './take-picture.js';

describeWithBrowser('pictures of the pages', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: (port) => ({ ...passkeySettings(port), WEB_APP_URL: 'http://localhost:1' }),
    });
    // Without one the pages say how to create the first administrator.
    await service.createUser({ email: 'mara@latchkey.example', role: 'PLATFORM_SUPERADMIN' });
  });
  afterAll(() => service.stop());

  it.each([
    ['login', '/login'],
    ['register', '/register'],
    ['reset-password', '/reset-password'],
  ])('the page %s is photographed', async (name, path) => {
    const { page } = await browser.visit(service.publicUrl);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await takePicture(page, name);
  });

  it('the account page is photographed', async () => {
    const user = await service.createUser({
      fullName: 'Ines Okafor',
      email: 'ines.okafor@contoso.example',
    });
    const { page } = await openFresh({ browser, service, user, view: 'security' });
    await enrolFactor(service.sql, user.id);
    await insertPasskey(service.sql, user.id, 'MacBook Pro');
    await page.reload();
    await page.getByText('Recovery codes').waitFor();
    await takePicture(page, 'account');
    expect(await page.getByText('MacBook Pro').isVisible()).toBe(true);
  });
});
