import { createServer, type Server } from 'node:http';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createTestAuth, TEST_PASSWORD, type TestAuth } from '@latchkey/testing';
import { CompanyRepository } from '../../examples/embed-in-express/companies/company-repository.js';
import { assemble, type Invoicing } from '../../examples/embed-in-express/invoicing.js';
import { applySchema } from '../../examples/embed-in-express/schema.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { inspect } from '../support/browser/inspect.js';
import { expectAnswer, shown } from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

const NORDWIND = '0b8f3a52-6d0e-4b58-9a55-1f2b8e0c7a01';
const PAPIER = '4c1d9e77-2f3a-4e6b-8b1c-9d5e6f7a8b02';

interface Office {
  url: string;
  kit: TestAuth;
  invoicing: Invoicing;
  email: string;
}

/** Starts the example with two companies and a user who may approve invoices of the first. */
async function openOffice(): Promise<Office> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = { AUTH_BASE_URL: url, AUTH_WEB_COOKIE_MODE: 'true' };
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, settings });
  const pool = new pg.Pool({ connectionString: kit.databaseUrl });
  await applySchema(pool);
  const invoicing = assemble(kit.auth, pool, new CompanyRepository(pool));
  const terms = { plan: 'full', mailDomain: 'nordwind.example' } as const;
  await invoicing.companies.add({ id: NORDWIND, name: 'Nordwind Logistics', ...terms });
  await invoicing.companies.add({ id: PAPIER, name: 'Papier & Co', ...terms });
  const modules = ['invoicing'];
  const permissions = ['invoices.approve'];
  const { id, email } = await kit.user({ company: NORDWIND, role: 'ADMIN', modules, permissions });
  await kit.company({ name: PAPIER, modules });
  const operator = { kind: 'operator', name: 'test' } as const;
  await kit.auth.memberships.upsertCompany(operator, PAPIER, { userId: id, moduleGrants: modules });
  await invoicing.invoices.add(NORDWIND, { customer: 'Harbour Master', cents: 48_000 }, id);
  const server = await listening(createServer(invoicing.app), port);
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await invoicing.close();
    await kit.close();
  });
  return { url, kit, invoicing, email };
}

function listening(server: Server, port: number): Promise<Server> {
  return new Promise((resolve) => server.listen(port, () => resolve(server)));
}

describeWithBrowser('the invoicing example', (browser) => {
  it('a user signs in, writes an invoice, switches company, approves with their password, and signs out', async () => {
    const { url, kit, email } = await openOffice();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/');
    await page.waitForURL('**/login?returnTo=%2F');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });

    await shown(page, 'Nordwind Logistics');
    await inspect(page, 'example-invoices', [
      'Company',
      'Sign out',
      'Approve invoice 1',
      'Customer',
      'Amount in euros',
      'Write invoice',
      'Email',
      'Invite',
    ]);

    await page.getByLabel('Company').selectOption('Papier & Co');
    await shown(page, 'Papier & Co');
    await page.getByLabel('Customer').fill('<b>Mill & Daughter</b>');
    await page.getByLabel('Amount in euros').fill('12,50');
    await page.getByRole('button', { name: 'Write invoice' }).click();
    await page.getByText('No. 1, <b>Mill & Daughter</b>: €12.50').waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);

    await page.getByLabel('Company').selectOption('Nordwind Logistics');
    await shown(page, 'Nordwind Logistics');
    await kit.clock.advance('10m');
    expectAnswer(visitor, 401);
    await page.getByRole('button', { name: 'Approve invoice 1' }).click();
    await shown(page, 'Is it you?');
    await page.getByLabel('Password').fill('not my password');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The email or the password is wrong.').waitFor();
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Invoice 1 is approved.').waitFor();
    const { total } = await kit.auth.admin.sessions.list({ userId: await idOf(kit, email) });
    expect(total, 'the session of the older sign-in has ended; that of the kit is there').toBe(2);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login?returnTo=%2F');
    await page.goto('/');
    await page.waitForURL('**/login?returnTo=%2F');
  });

  it('the app renews an expired access token silently', async () => {
    const { url, kit, email } = await openOffice();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/login?returnTo=/');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    await shown(page, 'Nordwind Logistics');
    await kit.clock.advance('20m');
    expectAnswer(visitor, 401);
    await page.reload();
    await shown(page, 'Nordwind Logistics');
  });
});

const idOf = async (kit: TestAuth, email: string): Promise<string> =>
  (await kit.auth.admin.users.getByEmail(email)).id;
