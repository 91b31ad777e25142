import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { allowAnswer, expectAnswer } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { signedInUser } from '../support/minted-token.js';
import { PICTURE_ENV, PictureClient } from '../support/picture-client.js';
import { PICTURES, pngOf } from '../support/pictures.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

/** Waits until a picture is shown in its width. */
const hasWidth = (page: Page, selector: string, width: number): Promise<void> =>
  expect
    .poll(() =>
      page
        .locator(selector)
        .first()
        .evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0)),
    )
    .toBe(width);

describeWithBrowser('pictures of users', (browser) => {
  let service: TestService;
  let pictures: PictureClient;
  beforeAll(async () => {
    service = await startTestService({
      env: { ...PICTURE_ENV, CONSOLE_ENABLED: 'true', COMPANY_PAGES_ENABLED: 'true' },
    });
    pictures = new PictureClient(service);
  });
  afterAll(() => service.stop());

  const signIn = async (
    page: Page,
    user: { email: string; password: string },
    path: string,
  ): Promise<void> => {
    await page.goto(`/login?returnTo=${encodeURIComponent(path)}`);
    await page.getByLabel('Email', { exact: true }).fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`**${path}`);
  };
  const choose = (page: Page, buffer: Buffer, mimeType = 'image/png') =>
    page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType, buffer });

  it('a user crops a large picture by keyboard and by dragging, sees it, changes it, and removes it', async () => {
    const user = await service.createUser({ fullName: 'Ada Lovelace' });
    const { page } = await browser.visit(service.publicUrl);
    await signIn(page, user, '/account');
    await choose(page, Buffer.from('no picture'));
    await page.getByText('Your browser cannot read this file.').waitFor();

    await choose(page, pngOf({ width: 3_000, height: 1_200 }));
    const dialog = page.getByRole('dialog', { name: 'Choose the part that is shown' });
    await dialog.waitFor();
    await dialog.getByLabel('Zoom').focus();
    for (let press = 0; press < 20; press += 1) await page.keyboard.press('ArrowRight');
    expect(await dialog.getByLabel('Zoom').inputValue()).toBe('2');
    const preview = await dialog.getByRole('img', { name: 'Preview of your picture' }).boundingBox();
    const center = { x: preview!.x + preview!.width / 2, y: preview!.y + preview!.height / 2 };
    await page.mouse.move(center.x, center.y);
    await page.mouse.down();
    await page.mouse.move(center.x + 60, center.y + 10, { steps: 5 });
    await page.mouse.up();
    expect(Number(await dialog.getByLabel('Left or right').inputValue())).toBeLessThan(0.5);
    await checkAccessibility(page);
    await photograph(page, 'picture-crop');
    await dialog.getByRole('button', { name: 'Save picture' }).click();

    await page.getByText('Your picture is saved.').waitFor();
    await hasWidth(page, '.identity .picture', 256);
    const [kept] = await service.sql(
      'SELECT width, height, content_type, octet_length(content) AS bytes FROM user_pictures',
    );
    expect(kept).toMatchObject({ width: 256, height: 256, content_type: 'image/webp' });
    await checkAccessibility(page);
    await photograph(page, 'picture');

    await page.getByRole('button', { name: 'Remove picture' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove picture' }).click();
    await page.getByText('Your picture is removed.').waitFor();
    expect(await page.locator('.picture').count()).toBe(0);
    expect(await service.sql('SELECT 1 FROM user_pictures')).toEqual([]);
  });

  it('lists of the console and of a company show uploaded pictures, and no picture of another host', async () => {
    const staff = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const company = new TestCompany(service);
    const [shown, foreign] = [
      await company.member({ role: 'TENANT_SUPERADMIN', user: { fullName: 'Grace Hopper' } }),
      await company.member({ user: { fullName: 'Alan Turing' } }),
    ];
    await pictures.kept(shown.token, PICTURES.transparent);
    const other = await company.member({ user: { fullName: 'Katherine Johnson' } });
    for (const [{ token }, path] of [
      [foreign, `auth/pictures/${'a'.repeat(32)}`],
      [other, 'katherine.png'],
    ] as const) {
      const body = { profilePictureUrl: `https://pictures.example/${path}` };
      expect((await service.api('PATCH', '/auth/me', { token, body })).status).toBe(200);
    }
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    expectAnswer(visitor, 404);
    allowAnswer(visitor, 503);
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));

    await signIn(page, staff, '/console/users');
    await page.getByText('Alan Turing').waitFor();
    await hasWidth(page, '.face .picture', 40);
    await page.getByText('AT', { exact: true }).waitFor();
    await photograph(page, 'picture-console');
    await page.goto(`/console/sessions`);
    await page.locator('.face .picture').first().waitFor();
    await page.goto(`/console/users/${shown.id}`);
    await hasWidth(page, '.user-head .picture', 40);

    await page.goto(`/company/${company.id}`);
    await page.getByText('Alan Turing').waitFor();
    await hasWidth(page, '.row-item .picture', 40);
    expect(await page.locator('.row-item .picture').count()).toBe(1);
    await checkAccessibility(page);
    await photograph(page, 'picture-members');
    expect([...hosts]).toEqual([new URL(service.publicUrl).host]);
  });

  it('every format of an upload is shown by a page of another origin, and opened by itself it runs nothing', async () => {
    const other = createServer((_request, response) => response.end('<!doctype html><title>Shop</title>'));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const shop = `http://127.0.0.1:${port}`;
    const visitor = await browser.visit(service.publicUrl, { origins: [shop] });
    const { page } = visitor;
    await page.goto(shop);
    for (const file of Object.values(PICTURES)) {
      const { token } = await signedInUser(service);
      const address = new URL(await pictures.kept(token, file));
      const source = new URL(address.pathname, service.publicUrl).href;
      await page.setContent(`<img src="${source}">`);
      await hasWidth(page, 'img', 40);
    }
    const { token } = await signedInUser(service);
    const address = new URL(await pictures.kept(token, PICTURES.png));
    // The document in which a browser shows a file has styles and scripts of its own.
    visitor.expectFault(/Blocked script execution/);
    visitor.allowFault(/Applying inline style|origin-keyed agent cluster/);
    const response = await page.goto(new URL(address.pathname, service.publicUrl).href);
    expect(response?.headers()['content-security-policy']).toContain('sandbox');
    expect(await page.evaluate(() => self.origin)).toBe('null');
  });
});
