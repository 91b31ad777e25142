import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  announced,
  openAccount,
  openFresh,
  signIn,
  type AccountView,
} from '../support/browser/account-page.js';
import { cutOff, expectAnswer, focused, liveSessions, shown } from '../support/browser/people.js';
import { answer, choose, shownRecoveryCodes, shownSecret, tabTo } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { EmailChangeClient, freshAddress } from '../support/email-change-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';
import { authenticatorApp } from '../support/totp-codes.js';

const CONFIRM = "Confirm it's you";

describeWithBrowser('the account page', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: (port) => ({ ...passkeySettings(port), RATE_LIMIT_LOGIN_PER_MINUTE: '1000' }),
    });
  });
  afterAll(() => service.stop());

  /** Opens the page with a sign-in that is an hour old. */
  const openOld = async (view: AccountView, user?: TestUser) => {
    const person = user ?? (await service.createUser({ fullName: 'Ada Lovelace' }));
    return { user: person, ...(await openAccount({ browser, service, user: person, view })) };
  };
  const openNew = async (view: AccountView) => {
    const user = await service.createUser({ fullName: 'Ada Lovelace' });
    return { user, ...(await openFresh({ browser, service, user, view })) };
  };

  /** Replaces what is in a field, by the keyboard alone. */
  const retype = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  /** Goes on to the field with this label by the Tab key. */
  const tabToField = async (page: Page, label: string): Promise<void> => {
    const field = page.getByLabel(label, { exact: true });
    for (let presses = 0; presses < 30; presses++) {
      if (await field.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${label}.`);
  };

  /** Waits for the field of the dialog for a fresh sign-in, which has the focus. */
  const proofAsked = (page: Page): Promise<void> => page.getByRole('dialog').locator('input:focus').waitFor();

  it('a signed-out browser is led to the sign-in and back', async () => {
    const user = await service.createUser();
    const { page } = await browser.visit(service.publicUrl);
    await page.goto('/account#security');
    await shown(page, 'Sign in');
    await new SignInForm(page).send(user);
    await shown(page, 'Security');
    expect(new URL(page.url()).pathname).toBe('/account');
  });

  it('the sign-in page leads a signed-in user to the account, who signs out there', async () => {
    const { page, user } = await openNew('profile');
    await page.goto('/login');
    await choose(page, 'A Manage your account');
    await shown(page, 'Profile');
    await choose(page, 'BUTTON Sign out');
    await shown(page, 'You are signed out');
    await expect.poll(() => focused(page)).toBe('H1 You are signed out');
    await expect.poll(() => liveSessions(service, user.email)).toBe(0);
    await choose(page, 'A Sign in again');
    await shown(page, 'Sign in');
  });

  it('platform staff are led to the console by the sign-in page and by their account, and others are not', async () => {
    const user = await service.createUser({ role: 'PLATFORM_MODERATOR' });
    const { page } = await openOld('profile', user);
    await page.getByRole('link', { name: 'Open the console' }).waitFor();
    await page.goto('/login');
    await shown(page, 'You are signed in');
    await choose(page, 'A Open the console');
    await page.waitForURL('**/console');
    const { page: ofMember } = await openOld('profile');
    expect(await ofMember.getByRole('link', { name: 'Open the console' }).count()).toBe(0);
  });

  it('a profile is changed by the keyboard alone, and faults keep what was typed', async () => {
    const { page, user, visitor } = await openNew('profile');
    await tabToField(page, 'Name');
    await retype(page, 'Ada King');
    await tabToField(page, 'Phone number optional');
    await page.keyboard.type('12');
    expectAnswer(visitor, 400);
    await page.keyboard.press('Enter');
    await page.getByText(/^Enter the whole number/).waitFor();
    const phone = page.getByLabel('Phone number');
    expect(await phone.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada King');
    await retype(page, '+49 (30) 12-345');
    await page.keyboard.press('Enter');
    await announced(page, 'Your profile is saved.');
    await page.getByRole('complementary').getByText('Ada King').waitFor();
    await page.getByLabel('Email language').selectOption('Deutsch');
    await choose(page, 'BUTTON Save changes');
    await expect
      .poll(() =>
        service.sql('SELECT full_name, phone_prefix, phone_number, locale FROM users WHERE id = $1', [
          user.id,
        ]),
      )
      .toEqual([{ full_name: 'Ada King', phone_prefix: '+49', phone_number: '3012345', locale: 'de' }]);
  });

  it('an email address is changed after a step-up, and the link is sent again', async () => {
    const { page, user, visitor } = await openOld('profile');
    const newEmail = freshAddress();
    await choose(page, 'BUTTON Change email');
    await shown(page, 'Change email');
    await page.keyboard.type(newEmail);
    expectAnswer(visitor, 401);
    await page.keyboard.press('Enter');
    await shown(page, CONFIRM);
    await proofAsked(page);
    await answer(page, 'a wrong password');
    await page.getByText('Incorrect password.').waitFor();
    await retype(page, user.password);
    await page.keyboard.press('Enter');
    await announced(page, `The link is on its way to ${newEmail}.`);
    // A reload would cancel the request.
    const sentAgain = page.waitForResponse('**/auth/email/change');
    await choose(page, 'BUTTON Send it again');
    expect((await sentAgain).status()).toBe(200);
    await page.reload();
    await page.getByText(`We have sent a link to ${newEmail}.`).waitFor();
    const changes = new EmailChangeClient(service);
    const token = await changes.tokenTo(newEmail, '/change-email', 2);
    await changes.confirm(token);
    await page.reload();
    await page.getByRole('main').getByText(newEmail).waitFor();
    expect(await page.getByText('We have sent a link').count()).toBe(0);
  });

  it('a password is changed by the keyboard alone, with its strength, and ends other sessions', async () => {
    const { page, user, visitor } = await openNew('security');
    await signIn(service, user);
    await choose(page, 'BUTTON Change password');
    await page.keyboard.type('a wrong password');
    await tabToField(page, 'New password');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.getByText('Use at least 8 characters.').waitFor();
    await retype(page, 'quiet meadow at dawn');
    await page.getByText('Strong password.').waitFor();
    expectAnswer(visitor, 401);
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect password.').waitFor();
    // The focus moves to the field once the message is shown.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('autocomplete')))
      .toBe('current-password');
    await retype(page, PASSWORD);
    await page.keyboard.press('Enter');
    await announced(page, 'Your password is changed.');
    await expect.poll(() => focused(page)).toBe('BUTTON Change password');
    expect(await liveSessions(service, user.email)).toBe(1);
    await signIn(service, { ...user, password: 'quiet meadow at dawn' });
  });

  it('a passkey is added, renamed and removed after a step-up with it', async () => {
    const { page, user, visitor } = await openOld('security');
    const authenticator = await addVirtualAuthenticator(page);
    await choose(page, 'BUTTON Add a passkey');
    await page.keyboard.type('Laptop');
    await tabToField(page, 'Current password');
    await answer(page, user.password);
    await announced(page, 'Passkey added.');
    expect(await authenticator.credentials()).toHaveLength(1);
    await choose(page, 'BUTTON Rename');
    await retype(page, 'Key at work');
    await page.keyboard.press('Enter');
    await announced(page, 'Passkey renamed.');
    await page.getByRole('main').getByText('Key at work').waitFor();
    await choose(page, 'BUTTON Remove');
    await shown(page, 'Remove Key at work?');
    await expect.poll(() => focused(page)).toBe('BUTTON Cancel');
    expectAnswer(visitor, 401);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shown(page, CONFIRM);
    await choose(page, 'BUTTON Use a passkey');
    await announced(page, 'Passkey removed.');
    await page.getByText('You have no passkeys yet.').waitFor();
  });

  it('a step-up that is cancelled changes nothing, and loses no input', async () => {
    const { page, visitor, user } = await openOld('profile');
    await choose(page, 'BUTTON Change email');
    await page.keyboard.type('new@example.com');
    expectAnswer(visitor, 401);
    await page.keyboard.press('Enter');
    await shown(page, CONFIRM);
    await proofAsked(page);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: CONFIRM }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('New email').inputValue()).toBe('new@example.com');
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('BUTTON Change email');
    expect(service.mailsTo('new@example.com')).toEqual([]);
    expect(user.email).not.toBe('new@example.com');
  });

  it('a second factor is set up, its codes renewed, and it is removed, by the keyboard alone', async () => {
    const { page, visitor } = await openOld('security');
    expectAnswer(visitor, 401);
    await choose(page, 'BUTTON Add an authenticator app');
    await shown(page, CONFIRM);
    await proofAsked(page);
    await answer(page, PASSWORD);
    await shown(page, 'Add this account to your app');
    const picture = page.getByRole('img', { name: 'QR code for your authenticator app' });
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    const app = authenticatorApp(await shownSecret(page));
    await tabToField(page, 'Code');
    await answer(page, '000000');
    await page.getByText('Incorrect code.').waitFor();
    await retype(page, app());
    await page.keyboard.press('Enter');
    await shown(page, 'Save your recovery codes');
    const codes = await shownRecoveryCodes(page);
    expect(new Set(codes).size).toBe(10);
    await page.keyboard.press('Escape');
    await shown(page, 'Save your recovery codes');
    const downloaded = page.waitForEvent('download');
    await choose(page, 'BUTTON Download');
    const text = await readFile(await (await downloaded).path(), 'utf8');
    expect(text.split('\n')).toEqual(expect.arrayContaining(codes));
    await choose(page, "BUTTON I've saved the codes");
    expect(await page.content()).not.toContain(codes[0]);
    await choose(page, 'BUTTON Create new codes');
    await shown(page, 'Create new recovery codes?');
    await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).press('Enter');
    await shown(page, CONFIRM);
    await proofAsked(page);
    await answer(page, app(1));
    await shown(page, 'Save your recovery codes');
    expect(await shownRecoveryCodes(page)).not.toContain(codes[0]);
    await choose(page, "BUTTON I've saved the codes");
    await choose(page, 'BUTTON Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await announced(page, 'Authenticator app removed.');
    await page.getByText('No authenticator app is set up.').waitFor();
  });

  it('sessions show who acts in them, and are ended one by one or all but this one', async () => {
    const user = await service.createUser();
    await signIn(service, user, { 'x-device-name': 'Phone' });
    await signIn(service, user, { 'x-device-name': 'Tablet' });
    const { page } = await openNewOf(user);
    await page.route('**/auth/sessions?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { deviceName: string | null }[] };
      const actor = { name: 'Grace Hopper', reason: 'Ticket 4711' };
      const data = body.data.map((each) => (each.deviceName === 'Phone' ? { ...each, actor } : each));
      await route.fulfill({ response, json: { ...body, data } });
    });
    await page.reload();
    await page.getByText('Grace Hopper acts for you here').waitFor();
    await page.getByText('Reason: Ticket 4711').waitFor();
    await page.unroute('**/auth/sessions?*');
    await tabTo(page, 'BUTTON Sign out everywhere else');
    const button = page.getByRole('button', { name: 'Sign out Phone' });
    await button.press('Enter');
    await announced(page, 'The session has ended.');
    await button.waitFor({ state: 'detached' });
    await choose(page, 'BUTTON Sign out everywhere else');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).press('Enter');
    await announced(page, '1 session has ended.');
    await page.getByText('You are signed in on this device only.').waitFor();
    expect(await liveSessions(service, user.email)).toBe(1);
  });
  const openNewOf = (user: TestUser) => openFresh({ browser, service, user, view: 'sessions' });

  it('a session that was ended elsewhere is reported, and leads to the sign-in and back', async () => {
    const { page, user, visitor } = await openNew('sessions');
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1', [
      user.id,
    ]);
    expectAnswer(visitor, 401);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await shown(page, 'You are signed out');
    await page.getByText(/^Your session was ended/).waitFor();
    await expect.poll(() => focused(page)).toBe('H1 You are signed out');
    await choose(page, 'A Sign in again');
    await new SignInForm(page).send(user);
    await shown(page, 'Sessions');
  });

  it('what is kept is shown after a step-up, and downloaded', async () => {
    const { page, user, visitor } = await openOld('data');
    expectAnswer(visitor, 401);
    await choose(page, 'BUTTON Prepare my data');
    await shown(page, CONFIRM);
    await proofAsked(page);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: CONFIRM }).waitFor({ state: 'detached' });
    expect(await page.getByText('Entries of the audit log').count()).toBe(0);
    expectAnswer(visitor, 401);
    await choose(page, 'BUTTON Prepare my data');
    await proofAsked(page);
    await answer(page, user.password);
    await page.getByText('Entries of the audit log').waitFor();
    const downloaded = page.waitForEvent('download');
    await choose(page, 'BUTTON Download as JSON');
    const file = await downloaded;
    const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { profile: { email: string } };
    expect(data.profile.email).toBe(user.email);
    expect(file.suggestedFilename()).toMatch(/^account-\d{4}-\d{2}-\d{2}\.json$/);
  });

  it('an unreachable service is reported, and the next attempt works', async () => {
    const { page, visitor } = await openNew('profile');
    const reconnect = await cutOff(visitor, '**/auth/me');
    await tabToField(page, 'Name');
    await retype(page, 'Ada King');
    await page.keyboard.press('Enter');
    await page.getByText(/^The service cannot be reached at the moment\./).waitFor();
    await page.reload();
    await shown(page, "Your account can't be shown");
    await reconnect();
    await choose(page, 'BUTTON Try again');
    await shown(page, 'Profile');
  });

  it('the page speaks German', async () => {
    const user = await service.createUser();
    const { page, visitor } = await openAccount({ browser, service, user, view: 'security' });
    await page.goto('/account?ui_locales=de#security');
    await shown(page, 'Sicherheit');
    expectAnswer(visitor, 401);
    await choose(page, 'BUTTON Authenticator-App hinzufügen');
    await shown(page, 'Bestätigen Sie Ihre Identität');
    await proofAsked(page);
    await answer(page, 'falsch');
    await page.getByText('Das Passwort ist falsch.').waitFor();
    await retype(page, user.password);
    await page.keyboard.press('Enter');
    await shown(page, 'Dieses Konto zur App hinzufügen');
    for (const view of ['Profil', 'Sitzungen', 'Ihre Daten']) {
      await page.goto(
        `/account?ui_locales=de#${{ Profil: 'profile', Sitzungen: 'sessions', 'Ihre Daten': 'data' }[view]}`,
      );
      await shown(page, view);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });
});
