import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { tabOrder } from '../support/browser/keyboard.js';
import { expectLargeTextFits } from '../support/browser/large-text.js';
import { layoutShift } from '../support/browser/layout.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { startTestService, type TestService } from '../support/service.js';

const LONG_EMAIL = `a.reader.with.quite.a.long.name.${'x'.repeat(24)}@mail.subsidiary.example.com`;

describeWithBrowser('the development inbox in a browser', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: (port) => ({ AUTH_BASE_URL: `http://localhost:${port}`, BRAND_ACCENT: '#e8590c' }),
    });
    for (const email of [LONG_EMAIL, 'ada@example.com']) {
      await service.createUser({ email });
      await service.api('POST', '/auth/password-reset/request', { body: { email } });
      await service.mailTo(email);
    }
  });
  afterAll(() => service.stop());

  const open = async (path = '/dev/mail') => {
    const { page } = await browser.visit(service.publicUrl);
    await page.goto(path);
    return page;
  };
  const pathTo = (email: string) =>
    `/dev/mail/${service.auth.inbox?.list().find(({ to }) => to === email)?.id ?? ''}`;

  it('the inbox lists mails accessibly, the newest first', async () => {
    const page = await open();
    expect(await layoutShift(page)).toBe(0);
    await checkAccessibility(page);
    await photograph(page, 'dev-mail');
    await expectLargeTextFits(page);
    const subject = 'Reset your Latchkey password';
    expect(await tabOrder(page)).toEqual([
      'Search mails',
      'Refresh',
      'Refresh automatically',
      subject,
      subject,
    ]);
    expect(await page.locator('.mails p:not(.quiet)').allTextContents()).toEqual([
      'ada@example.com',
      LONG_EMAIL,
    ]);
  });

  const receiveMail = async (email: string): Promise<void> => {
    await service.createUser({ email });
    await service.api('POST', '/auth/password-reset/request', { body: { email } });
    await service.mailTo(email);
  };

  it('new mails appear by themselves, and the focus stays where it is', async () => {
    const page = await open();
    await page.getByRole('link').first().focus();
    const before = await page.evaluate(() => document.activeElement?.getAttribute('href'));
    await receiveMail('late@example.com');
    await page.getByText('late@example.com').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(before);
    await page.getByText('3 mails, newest first').waitFor();
  });

  it('the Refresh button shows new mails while the automatic refresh is off', async () => {
    const page = await open();
    await page.getByRole('checkbox', { name: 'Refresh automatically' }).uncheck();
    await receiveMail('later@example.com');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('later@example.com').waitFor();
  });

  it('the search finds mails by their words, and says that there are none', async () => {
    const page = await open();
    const search = page.getByRole('searchbox', { name: 'Search mails' });
    await search.fill('ADA@example');
    await page.getByText('1 mail, newest first').waitFor();
    expect(await page.locator('.mails p:not(.quiet)').allTextContents()).toEqual(['ada@example.com']);
    await search.fill('no mail has these words');
    await page.getByText('0 mails').waitFor();
    await page.locator('.empty').waitFor();
    await checkAccessibility(page);
  });

  it('an address that fits into a line is not wrapped', async () => {
    const page = await open();
    await page.setViewportSize({ width: 320, height: 640 });
    const box = await page.getByText('ada@example.com').boundingBox();
    expect(box?.height).toBeLessThan(30);
  });

  it('the inbox shows a mail as its recipient sees it, in both colour schemes', async () => {
    const page = await open(pathTo(LONG_EMAIL));
    const mail = page.frameLocator('iframe');
    const button = mail.getByRole('link', { name: 'Choose a new password' });
    await button.waitFor();
    const { light } = service.auth.brandColours;
    const rgb = [1, 3, 5].map((start) => parseInt(light.accent.slice(start, start + 2), 16)).join(', ');
    expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(`rgb(${rgb})`);
    await checkAccessibility(page);
    await photograph(page, 'dev-mail-message');
    await expectLargeTextFits(page);
    await page.getByRole('tab', { name: 'HTML' }).press('ArrowRight');
    expect(await page.locator('iframe').isVisible()).toBe(false);
    await page.getByText('Choose a new password', { exact: false }).first().waitFor();
    expect(await page.getByRole('tab', { name: 'Text' }).getAttribute('aria-selected')).toBe('true');
    await checkAccessibility(page);
    await photograph(page, 'dev-mail-text');
    await expectLargeTextFits(page);
  });

  it('the inbox opens the link of a mail in a new tab', async () => {
    const page = await open(pathTo('ada@example.com'));
    const opened = page.waitForEvent('popup');
    await page.frameLocator('iframe').getByRole('link', { name: 'Choose a new password' }).click();
    const popup = await opened;
    await popup.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathTo('ada@example.com'));
  });
});
