import { createServer } from 'node:http';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createTestAuth, TEST_PASSWORD, type TestAuth } from '@latchkey/testing';
import { createCompanyApp } from '../../examples/company-app/company-app.js';
import { bundleApp } from '../../examples/web-app/bundle-app.js';
import { COMPANIES } from '../../examples/web-app/company-list.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { allowAnswer, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

const [NORDWIND, PAPIER] = COMPANIES.map(({ id }) => id) as [string, string];
const MODULES = ['invoices'];

let script: string;
beforeAll(async () => {
  script = await bundleApp('company-app');
});

/** Starts the example with a user who administers one company and is a member of another one. */
async function openApp(): Promise<{ url: string; kit: TestAuth; email: string }> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = { AUTH_BASE_URL: url, AUTH_WEB_COOKIE_MODE: 'true' };
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, settings });
  const { id, email } = await kit.user({
    company: NORDWIND,
    role: 'ADMIN',
    modules: MODULES,
    permissions: ['invoices:approve'],
  });
  await kit.company({ name: PAPIER, modules: MODULES });
  const operator = { kind: 'operator', name: 'test' } as const;
  await kit.auth.memberships.upsertCompany(operator, PAPIER, { userId: id, moduleGrants: MODULES });
  const server = createServer(createCompanyApp(kit.auth, script));
  await new Promise<void>((resolve) => void server.listen(port, resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await kit.close();
  });
  return { url, kit, email };
}

describeWithBrowser('the example of an app for companies', (browser) => {
  it('a user approves an invoice where they may, sees the members they administer, and manages the company', async () => {
    const { url, email } = await openApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/app');
    await shown(page, 'Invoices');
    await checkAccessibility(page);
    // The list of members of the other company, which may be the first one.
    allowAnswer(visitor, 403);
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });

    await page.getByLabel('Company').selectOption('Nordwind Logistics');
    await shown(page, 'Nordwind Logistics');
    await page.getByRole('button', { name: 'Approve Borealis' }).click();
    await page.getByText('Borealis (approved)').waitFor();
    const members = page.getByRole('region', { name: 'Members' });
    await members.getByText('ADMIN').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'example-company-app');

    await page.getByRole('link', { name: 'Manage the company' }).click();
    await page.getByRole('heading', { name: 'Active members' }).waitFor();
    await page.getByRole('button', { name: 'Back to the app' }).click();
    await page.getByRole('list', { name: 'Invoices' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app');
  });

  it('a member sees neither the button of a permission that they lack nor members, and the API refuses', async () => {
    const { url, email } = await openApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/app');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    allowAnswer(visitor, 403);
    await page.getByLabel('Company').selectOption('Papier & Co');
    await shown(page, 'Papier & Co');
    await page.getByRole('list', { name: 'Invoices' }).getByText('Borealis').waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    // It is there until the service has refused the list.
    await page.getByRole('region', { name: 'Members' }).waitFor({ state: 'detached' });
    const status = await page.evaluate(
      async (companyId) =>
        (
          await fetch('/api/invoices/1/approve', {
            method: 'POST',
            headers: { 'x-org': companyId, 'x-auth-mode': 'cookie' },
          })
        ).status,
      PAPIER,
    );
    expect(status).toBe(403);
  });
});
