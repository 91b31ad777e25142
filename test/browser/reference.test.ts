import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { expectNoSidewaysScrolling } from '../support/browser/layout.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

describeWithBrowser('the API reference', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const open = async (path = '/docs'): Promise<Page> => {
    const { page } = await browser.visit(service.publicUrl);
    await page.goto(path);
    await page.locator('.opblock-tag').first().waitFor();
    return page;
  };
  const operation = (page: Page, id: string) => page.locator(`[id="operations-${id}"]`);

  it('the API reference is accessible in both colour schemes, with operations that are tried', async () => {
    const page = await open();
    for (const id of ['Sign-in-login', 'Passkeys-renamePasskey', 'Users-listUsers']) {
      await operation(page, id).locator('.opblock-summary-control').press('Enter');
      await operation(page, id).locator('.try-out__btn').press('Enter');
    }
    await page.locator('.body-param textarea').first().waitFor();
    await checkAccessibility(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScrolling(page);
  });

  it('the API reference starts with sign-in and registration, and follows the colour scheme', async () => {
    const page = await open();
    const first = await page
      .locator('.opblock-summary-path')
      .evaluateAll((paths) => paths.slice(0, 4).map((path) => path.getAttribute('data-path')));
    expect(first).toEqual(['/auth/login', '/auth/register', '/auth/refresh', '/auth/logout']);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await waitUntil(async () => (await background()) !== 'rgb(255, 255, 255)', { what: 'a dark page' });
  });

  it('the API reference searches groups, paths, names and texts of operations', async () => {
    const page = await open();
    const found = async (words: string, expected: RegExp): Promise<void> => {
      await page.getByRole('searchbox', { name: 'Search operations' }).fill(words);
      await waitUntil(
        async () => {
          const ids = await page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id));
          return expected.test(ids.join(' '));
        },
        { what: `the operations for ${words}` },
      );
    };
    await found('/auth/handoff/exchange', /^operations-Hand-off-exchangeHandoffCode$/);
    await found('CHANGEPASSWORD', /^operations-Account-changePassword$/);
    await found('own sessions', /^(operations-Own_sessions-\w+ ?){2,}$/);
    expect(await page.locator('.opblock-tag').getAttribute('data-tag')).toBe('Own sessions');
    await found('nothing has these words', /^$/);
    expect(await page.getByRole('status').textContent()).toBe('No operation matches.');
  });

  it('an address of the API reference opens its operation', async () => {
    const page = await open('/docs#/Sign-in/login');
    await operation(page, 'Sign-in-login').locator('.opblock-body').waitFor();
  });

  it('an operation shows what it refers to, and each response the codes that it may have', async () => {
    const page = await open('/docs#/Sign-in/login');
    const responseOf = (status: number) =>
      operation(page, 'Sign-in-login').locator(`.responses-table tr[data-code="${status}"]`);
    await responseOf(200).locator('.highlight-code').waitFor();
    expect(await responseOf(200).locator('.highlight-code').textContent()).toContain('"accessToken"');
    await responseOf(400).getByRole('tab', { name: 'Schema' }).click();
    const schema = responseOf(400).locator('.json-schema-2020-12').first();
    await schema
      .locator('[data-json-schema-level="1"]', { hasText: 'error' })
      .getByText('Expand all')
      .click();
    await waitUntil(async () => (await schema.textContent())?.includes('validation_error') === true, {
      what: 'the codes of the response',
    });
    expect(await schema.textContent()).not.toContain('session_revoked');
  });

  it('the API reference has the frame of the product, and its list of groups leads to each group', async () => {
    const page = await open();
    const banner = page.getByRole('banner');
    expect(await banner.getByRole('link', { name: 'Latchkey' }).getAttribute('href')).toBe('./');
    await page.getByRole('searchbox').fill('nothing has these words');
    await page
      .getByRole('navigation', { name: 'Groups of operations' })
      .getByRole('link', { name: 'Audit log' })
      .click();
    const heading = page.locator('.opblock-tag[data-tag="Audit log"]');
    await waitUntil(() => heading.isVisible(), { what: 'the groups after the search is cleared' });
    await waitUntil(() => heading.evaluate((element) => element.contains(document.activeElement)), {
      what: 'the focus on the group',
    });
    expect(page.url()).toBe(`${service.publicUrl}/docs#/Audit%20log`);
  });

  it('each operation has samples in curl and TypeScript with the address of the service', async () => {
    const page = await open('/docs#/Sign-in/login');
    const login = operation(page, 'Sign-in-login');
    const sample = login.getByRole('group', { name: /^Sample in/ });
    await sample.waitFor();
    expect((await sample.textContent())?.split('\n')).toEqual([
      `curl -X POST '${service.publicUrl}/auth/login' \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"email":"ann@example.com","password":"a long walk home"}'`,
    ]);
    await login.getByRole('button', { name: 'TypeScript', pressed: false }).click();
    expect(await sample.textContent()).toContain("client.request('POST', '/auth/login', {");
    // The next operation begins with the language that was chosen last.
    const groups = page.getByRole('navigation', { name: 'Groups of operations' });
    await groups.getByRole('link', { name: 'Users (machines)' }).click();
    const machineOperation = page.locator('.opblock[id$="-createUserAsMachine"]');
    await machineOperation.locator('.opblock-summary-control').click();
    const machineSample = machineOperation.getByRole('group', { name: 'Sample in TypeScript' });
    expect(await machineSample.textContent()).toContain("'X-Internal-API-Key': process.env");
  });

  it('the command of a sample works as it is', async () => {
    const page = await open('/docs#/Platform/checkHealth');
    const sample = page.getByRole('group', { name: 'Sample in curl' });
    const command = (await sample.textContent()) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('curl ', 'curl -s ')]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
  });
});
