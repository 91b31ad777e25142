import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { signIn } from '../support/browser/account-page.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, question } from '../support/browser/console-visit.js';
import { inspect } from '../support/browser/inspect.js';
import { tabOrder } from '../support/browser/keyboard.js';
import { beSignedIn } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import type { VisitOptions } from '../support/browser/visitor.js';
import { waitUntil } from '../support/wait-until.js';

interface Received {
  body: string;
  headers: Record<string, string>;
}

describeWithBrowser('webhooks and API keys in the console', (browser) => {
  let fixture: ConsoleService;
  let receiver: Server;
  let origin: string;
  /** Is another one in each test, so that what one leaves is not taken for what the next made. */
  let url: string;
  let status = 204;
  const received: Received[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        received.push({ body, headers: request.headers as Record<string, string> });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    fixture = await startConsoleService();
  });
  afterAll(async () => {
    await fixture.stop();
    receiver.close();
  });
  beforeEach(({ task }) => {
    url = `${origin}/${task.id}`;
    status = 204;
    received.length = 0;
  });

  /** Opens a place of the console with a sign-in by password, as keys of companies need. */
  const visit = async (path: string, options: VisitOptions = {}) => {
    const { accessToken: token, refreshToken } = await signIn(fixture.service, fixture.superadmin);
    const visitor = await browser.visit(fixture.service.publicUrl, options);
    const { page } = visitor;
    await page.goto('/login');
    await beSignedIn(page, { token, refreshToken });
    await page.goto(`/console${path}`);
    await page.locator('main h1').waitFor();
    return { visitor, page };
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const toast = (page: Page, text: string) => page.locator('.toast').getByText(text).waitFor();
  /** Returns the secret that is shown once. */
  const storeSecret = async (page: Page, done: string): Promise<string> => {
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await press(page, done);
    return secret;
  };
  /** Presses a button of the view, and the one of the question that has the same name. */
  const confirmed = async (page: Page, name: string): Promise<void> => {
    await press(page, name);
    await question(page).getByRole('button', { name, exact: true }).click();
  };
  const create = async (page: Page, events?: string): Promise<string> => {
    await press(page, 'Create webhook');
    await question(page).getByLabel('Address').fill(url);
    if (events !== undefined) {
      await question(page).getByLabel('Events', { exact: true }).selectOption('Chosen ones');
      await question(page).getByLabel(events).check();
    }
    await question(page).getByRole('button', { name: 'Create webhook' }).click();
    await question(page).getByRole('heading', { name: 'Copy the secret' }).waitFor();
    return storeSecret(page, "I've stored the secret");
  };

  it('a webhook is created with a secret, tested, disabled, enabled and deleted', async () => {
    const { page } = await visit('/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    const secret = await create(page, 'user.created');
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('link', { name: url }).click();
    await loaded(page);
    await confirmed(page, 'Send a test');
    await toast(page, 'The test is on its way.');
    await waitUntil(() => received.length >= 1, { what: 'a test arrives' });
    const [message] = received;
    expect(new Webhook(secret).verify(message!.body, message!.headers)).toMatchObject({
      type: 'webhook.test',
    });
    await page.reload();
    await page.getByRole('list', { name: 'Deliveries' }).getByText('Sent').waitFor();
    await confirmed(page, 'Replace secret');
    expect(await storeSecret(page, "I've stored the secret")).not.toBe(secret);
    await page.getByText(/^The former secret signs, too, until/).waitFor();
    await confirmed(page, 'Disable');
    await toast(page, 'The webhook is disabled.');
    await page.getByRole('button', { name: 'Send a test' }).waitFor({ state: 'detached' });
    await confirmed(page, 'Enable');
    await toast(page, 'The webhook is active.');
    await confirmed(page, 'Delete');
    await page.getByText('No webhooks yet').waitFor();
  });

  it('deliveries are filtered by their status, sent again, and replayed', async () => {
    const { page } = await visit('/webhooks');
    status = 500;
    await create(page);
    await page.getByRole('link', { name: url }).click();
    await confirmed(page, 'Send a test');
    await waitUntil(() => received.length >= 1, { what: 'a test arrives' });
    await waitUntil(
      async () => {
        const [row] = await fixture.service.sql(
          "SELECT last_status FROM webhook_deliveries WHERE event = 'webhook.test'",
        );
        return row?.last_status === 500;
      },
      { what: 'the failure' },
    );
    // The service would try again by itself meanwhile.
    await fixture.service.sql("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour'");
    await page.reload();
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await deliveries.getByText('Status 500').waitFor();
    await page.getByLabel('Status').selectOption('Sent');
    await page.getByText('No deliveries').waitFor();
    await page.getByLabel('Status').selectOption('Waiting');
    status = 204;
    await press(page, 'Send again: webhook.test');
    await question(page).getByRole('button', { name: 'Send again' }).click();
    await toast(page, 'The message is on its way.');
    await waitUntil(() => received.length >= 2, { what: 'it arrives again' });
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
    await press(page, 'Replay');
    await question(page).getByLabel('Messages of the last').selectOption('hour');
    await question(page).getByRole('button', { name: 'Replay' }).click();
    await page
      .locator('.toast')
      .getByText(/^\d+ messages? (is|are) sent\.$/)
      .waitFor();
    await page.getByLabel('Status').selectOption('All');
    await page.reload();
    await deliveries.waitFor();
    await inspect(page, 'console-webhook', await tabOrder(page));
  });

  it('a company has webhooks and API keys of its own', async () => {
    const { page } = await visit(`/companies/${fixture.companyId}`);
    await loaded(page);
    await press(page, 'Create a key');
    await question(page).getByLabel('Name').fill('ERP');
    await question(page).getByLabel('Modules').fill('invoices, payroll');
    await question(page).getByRole('button', { name: 'Create' }).click();
    await question(page).getByRole('heading', { name: 'Copy your new key' }).waitFor();
    const key = await storeSecret(page, "I've stored the key");
    await page.getByText('Modules: invoices, payroll · Permissions: none').waitFor();
    const state = () =>
      fixture.service.machine('POST', '/internal/api-keys/verify', { body: { apiKey: key } });
    expect((await state()).data).toMatchObject({ active: true, companyId: fixture.companyId });
    await press(page, 'Rename ERP');
    await question(page).getByLabel('Name').fill('Import');
    await question(page).getByRole('button', { name: 'Save' }).click();
    await toast(page, 'The key is renamed.');
    await press(page, 'Replace Import');
    await question(page).getByRole('button', { name: 'Replace the key' }).click();
    const second = await storeSecret(page, "I've stored the key");
    expect((await state()).data).toEqual({ active: false });
    expect(second).toMatch(/^lkk_/);
    await press(page, 'Revoke Import');
    await question(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click();
    await loaded(page, 'Webhooks');
    await press(page, 'Create webhook');
    await question(page).getByLabel('Address').fill(url);
    await question(page).getByLabel('Events', { exact: true }).selectOption('Chosen ones');
    expect(await question(page).getByRole('checkbox').count()).toBe(10);
    await question(page).getByLabel('membership.created').check();
    await question(page).getByRole('button', { name: 'Create webhook' }).click();
    await storeSecret(page, "I've stored the secret");
    await page.getByRole('link', { name: url }).click();
    await loaded(page);
    await confirmed(page, 'Send a test');
    await waitUntil(() => received.some(({ body }) => body.includes('webhook.test')), { what: 'a test' });
  });

  it('a key of a user is revoked on the page of the user', async () => {
    const { service } = fixture;
    const { id, accessToken: token } = await service.signedIn();
    const made = await service.api('POST', '/auth/api-keys', { token, body: { name: 'Nightly export' } });
    expect(made.status, made.text).toBe(201);
    const { page } = await visit(`/users/${id}`);
    await page.getByText('Nightly export').waitFor();
    await press(page, 'Revoke Nightly export');
    await question(page).getByRole('button', { name: 'Revoke' }).click();
    await toast(page, 'The key is revoked.');
    await page.getByText('No API keys').waitFor();
  });

  it('the dialog of a new webhook is accessible, and a refused address is explained beside its field', async () => {
    const { page, visitor } = await visit('/webhooks', { height: 1_400 });
    await press(page, 'Create webhook');
    await question(page).getByLabel('Address').fill('https://10.0.0.1/hooks');
    await question(page).getByLabel('Events', { exact: true }).selectOption('Chosen ones');
    await question(page).getByLabel('passkey.added').check();
    visitor.expectFault(/status of 400/);
    await question(page).getByRole('button', { name: 'Create webhook' }).click();
    await question(page).locator('.field-error').waitFor();
    await inspect(page, 'console-webhook-create', await tabOrder(page));
  });
});
