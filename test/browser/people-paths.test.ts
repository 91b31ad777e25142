import { afterAll, beforeAll, it } from 'vitest';
import { inspectArrival } from '../support/browser/inspect.js';
import { expectAnswer, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { startTestService, type TestService } from '../support/service.js';

describeWithBrowser('addresses that people open', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('the start page of development is accessible, and leads to the parts of the service', async () => {
    const { page } = await browser.visit(service.publicUrl);
    await page.goto('/');
    await inspectArrival(page, 'home', [
      service.publicUrl,
      'Sign in',
      'Create an account',
      'Account',
      'Console',
      'Company',
      'Reset a password',
      'API reference',
      'OpenAPI document',
      'Mail inbox',
      'Health',
      'Readiness',
      'Public keys',
    ]);
    await page.getByRole('link', { name: 'Mail inbox' }).click();
    await shown(page, 'Development inbox');
  });

  it('the page for an unknown address is accessible, and leads to the sign-in page', async () => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    expectAnswer(visitor, 404);
    await page.goto('/nowhere');
    await inspectArrival(page, 'not-found', ['Sign in']);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await shown(page, 'Sign in');
  });
});
