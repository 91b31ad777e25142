import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { announced, openAccount, openFresh } from '../support/browser/account-page.js';
import { inspect, inspectArrival } from '../support/browser/inspect.js';
import { expectAnswer, focused, shown } from '../support/browser/people.js';
import { choose } from '../support/browser/second-step.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import type { TestUser } from '../support/test-users.js';

const SIDE = ['Profile', 'Security', 'Sessions', 'API keys', 'Your data', 'Sign out'];
const CORE_KEY = 'key-of-the-core-service';

describeWithBrowser("the account page's API keys", (browser) => {
  let core: CoreService;
  let service: TestService;
  beforeAll(async () => {
    core = await CoreService.start({ apiKey: CORE_KEY });
    service = await startTestService({ env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY } });
  });
  afterAll(async () => {
    await service.stop();
    await core.stop();
  });

  /** A member of a company with two modules and a permission. */
  const member = async (): Promise<TestUser & { companyId: string }> => {
    const user = await service.createUser({ fullName: 'Ada Lovelace' });
    const companyId = randomUUID();
    core.set(companyId, { modules: ['billing', 'stock'], permissions: ['invoices:read'] });
    await insertMembership(service.sql, {
      userId: user.id,
      companyId,
      moduleGrants: ['billing', 'stock'],
      permissionGrants: ['invoices:read'],
    });
    return { ...user, companyId };
  };

  const open = async (user: TestUser) => openFresh({ browser, service, user, view: 'keys' });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const shownKey = async (page: Page): Promise<string> =>
    (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  const closeKey = async (page: Page): Promise<string> => {
    await shown(page, 'Copy your new key');
    const key = await shownKey(page);
    await press(page, "I've stored the key");
    return key;
  };
  /** Makes a key with this name, in no company. */
  const make = async (page: Page, name: string): Promise<string> => {
    await press(page, 'Create a key');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await press(page, 'Create');
    return closeKey(page);
  };
  const stateOf = async (key: string) =>
    (
      await service.api('POST', '/internal/api-keys/verify', {
        headers: { 'x-internal-api-key': INTERNAL_KEY },
        body: { apiKey: key },
      })
    ).data as Record<string, unknown>;

  it('a key is made with chosen rights in a company, shown once, and copied', async () => {
    const user = await member();
    const { page, visitor } = await open(user);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, 'BUTTON Create a key');
    await page.keyboard.type('Nightly export');
    await page.getByLabel('Expires').selectOption('After 30 days');
    await page.getByLabel('Company', { exact: true }).selectOption(user.companyId);
    await page.getByLabel('Rights').selectOption('Only chosen ones');
    await page.getByLabel('billing').check();
    await press(page, 'Create');
    await shown(page, 'Copy your new key');
    const key = await shownKey(page);
    await press(page, 'Copy the key');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await page.keyboard.press('Escape');
    await press(page, "I've stored the key");
    await page.getByText('Modules: billing · Permissions: none').waitFor();
    expect(await page.locator('main').textContent()).not.toContain(key);
    expect(await stateOf(key)).toMatchObject({
      active: true,
      name: 'Nightly export',
      companyId: user.companyId,
      access: { modules: ['billing'], permissions: [] },
    });
  });

  it('a key is renamed, replaced with an overlap, and revoked, by the keyboard', async () => {
    const { page } = await open(await member());
    const first = await make(page, 'Export');
    await choose(page, 'BUTTON Rename');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Import');
    await page.keyboard.press('Enter');
    await announced(page, 'The key is renamed.');
    await press(page, 'Replace Import');
    await page.getByLabel('The former key').selectOption('works for one more hour');
    await press(page, 'Replace the key');
    const second = await closeKey(page);
    await page.getByText('The former key works until').waitFor();
    expect([await stateOf(first), await stateOf(second)]).toMatchObject([{ active: true }, { active: true }]);
    await press(page, 'Revoke Import');
    await expect.poll(() => focused(page)).toBe('BUTTON Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await announced(page, 'The key is revoked.');
    await page.getByText('There are no API keys yet.').waitFor();
    expect(await stateOf(second)).toEqual({ active: false });
  });

  it('all keys are revoked at once', async () => {
    const { page } = await open(await member());
    const made = [await make(page, 'One'), await make(page, 'Two')];
    await press(page, 'Revoke all keys');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke all keys' }).click();
    await announced(page, '2 keys are revoked.');
    for (const key of made) expect(await stateOf(key)).toEqual({ active: false });
  });

  it('a sign-in that is an hour old is confirmed before a key is made, and nothing typed is lost', async () => {
    const user = await member();
    const { page, visitor } = await openAccount({ browser, service, user, view: 'keys' });
    await press(page, 'Create a key');
    await page.getByLabel('Name', { exact: true }).fill('Export');
    expectAnswer(visitor, 401);
    await press(page, 'Create');
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await press(page, 'Confirm');
    expect(await closeKey(page)).toMatch(/^lkk_/);
  });

  it('a refused company and a missing name are explained beside the form', async () => {
    const user = await member();
    const { page, visitor } = await open(user);
    await press(page, 'Create a key');
    await press(page, 'Create');
    await page.getByText('Fill in this field.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Export');
    await page.getByLabel('Company', { exact: true }).selectOption(user.companyId);
    await service.sql('UPDATE company_memberships SET is_active = false WHERE company_id = $1', [
      user.companyId,
    ]);
    expectAnswer(visitor, 403);
    await press(page, 'Create');
    await page.getByText('You are no longer a member of this company. Reload the page.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Export');
  });

  it('the view is accessible, with its dialogs', async () => {
    const user = await member();
    const { page } = await open(user);
    await page.getByText('There are no API keys yet.').waitFor();
    await inspectArrival(page, 'account-keys-empty', [...SIDE, 'Create a key']);
    await press(page, 'Create a key');
    await page.getByLabel('Name', { exact: true }).fill('Nightly export of the accounting department');
    await page.getByLabel('Company', { exact: true }).selectOption(user.companyId);
    await page.getByLabel('Rights').selectOption('Only chosen ones');
    await page.getByLabel('stock').check();
    await inspect(page, 'account-keys-create', [
      'Name',
      'Expires',
      'Company',
      'Rights',
      'billing',
      'stock',
      'invoices:read',
      'Cancel',
      'Create',
    ]);
    await press(page, 'Create');
    await shown(page, 'Copy your new key');
    await inspect(page, 'account-keys-new', ['Copy the key', "I've stored the key"]);
    await press(page, "I've stored the key");
    await inspect(page, 'account-keys', [
      ...SIDE,
      'Rename Nightly export of the accounting department',
      'Replace Nightly export of the accounting department',
      'Revoke Nightly export of the accounting department',
      'Create a key',
      'Revoke all keys',
    ]);
  });

  it('the view is accessible in German, also in a narrow window', async () => {
    const user = await member();
    const session = await service.api('POST', '/auth/login', {
      body: { email: user.email, password: user.password },
    });
    const made = { name: 'Nächtlicher Export', companyId: user.companyId, expiresIn: 86_400 };
    await service.api('POST', '/auth/api-keys', { token: session.data.accessToken, body: made });
    const { page } = await openFresh({
      browser,
      service,
      user,
      view: 'keys',
      options: { locale: 'de-DE' },
    });
    await page.getByText('Läuft bald ab').waitFor();
    await inspect(page, 'account-keys-german', [
      'Profil',
      'Sicherheit',
      'Sitzungen',
      'API-Schlüssel',
      'Ihre Daten',
      'Abmelden',
      'Nächtlicher Export umbenennen',
      'Nächtlicher Export ersetzen',
      'Nächtlicher Export widerrufen',
      'Schlüssel erstellen',
      'Alle Schlüssel widerrufen',
    ]);
  });

  it('a service without personal keys does not show them', async () => {
    const of = await serviceForThisTest({ env: { API_KEYS: 'company' } });
    const user = await of.createUser();
    const { page } = await openFresh({ browser, service: of, user });
    await page.goto('/account#keys');
    await shown(page, 'Profile');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  });
});
