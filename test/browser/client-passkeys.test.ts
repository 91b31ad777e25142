import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientPages, signInFrom, untilStatus } from '../support/browser/client-page.js';
import { callsOf, cutOff, expectAnswer } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator } from '../support/browser/virtual-authenticator.js';
import { startTestService, type TestService } from '../support/service.js';

describeWithBrowser('passkeys by the client', (browser) => {
  let frontEnd: ClientPages;
  let service: TestService;
  beforeAll(async () => {
    frontEnd = await ClientPages.serve();
    service = await startTestService({
      env: {
        CORS_ORIGINS: frontEnd.url,
        PASSKEYS_ENABLED: 'true',
        WEBAUTHN_RP_ID: 'localhost',
        WEBAUTHN_ORIGINS: frontEnd.url,
      },
    });
    await frontEnd.connect(service.publicUrl);
  });
  afterAll(async () => {
    await frontEnd.stop();
    await service.stop();
  });

  async function signedIn() {
    const user = await service.createUser();
    const visitor = await browser.visit(frontEnd.url, { origins: [service.publicUrl] });
    const { page } = visitor;
    await page.goto('/localStorage');
    const authenticator = await addVirtualAuthenticator(page);
    await signInFrom(page, user);
    const add = (): Promise<string> =>
      page.evaluate(async (currentPassword) => {
        const { data, error } = await window.client.passkeys.add({ currentPassword, name: 'Laptop' });
        return error ? error.code : data.name;
      }, user.password);
    return { user, visitor, page, authenticator, add };
  }

  it('a passkey is added, listed, renamed, used to sign in, and removed', async () => {
    const { user, page, authenticator, add } = await signedIn();
    expect(await add()).toBe('Laptop');
    expect(await authenticator.credentials()).toHaveLength(1);
    await page.evaluate(() => window.client.signOut());
    await untilStatus(page, 'signed_out');

    expect(await page.evaluate(async () => (await window.client.passkeys.signIn()).data)).toEqual({
      status: 'signed_in',
    });
    expect(await page.evaluate(async () => (await window.client.me()).data?.email)).toBe(user.email);
    const names = await page.evaluate(async () => {
      const { passkeys } = window.client;
      const [passkey] = (await passkeys.list()).data ?? [];
      const id = passkey?.id ?? '';
      const renamed = await passkeys.rename(id, 'Work laptop');
      const removed = await passkeys.remove(id);
      return [passkey?.name, renamed.data?.name, removed.data?.status, (await passkeys.list()).data?.length];
    });
    expect(names).toEqual(['Laptop', 'Work laptop', 'ok', 0]);
  });

  it('a step-up with a passkey raises the session', async () => {
    const { user, visitor, page, add } = await signedIn();
    expectAnswer(visitor, 404);
    expectAnswer(visitor, 401);
    const stepUp = () =>
      page.evaluate(async () => (await window.client.passkeys.stepUp()).error?.code ?? 'ok');
    expect(await stepUp()).toBe('not_found');
    await add();
    const past = `UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE user_id = $1`;
    await service.sql(past, [user.id]);
    await page.evaluate(() => window.client.session.renew());
    const exported = () =>
      page.evaluate(async () => (await window.client.account.exportData()).error?.code ?? 'ok');
    expect(await exported()).toBe('reauthentication_required');
    expect(await stepUp()).toBe('ok');
    expect(await exported()).toBe('ok');
  });

  it('a passkey is offered in the suggestions of a field', async () => {
    const { page, add } = await signedIn();
    await add();
    await page.evaluate(() => window.client.signOut());
    const outcome = await page.evaluate(async () => {
      const { passkeys } = window.client;
      const isSupported = await passkeys.isAutofillSupported();
      return [isSupported, (await passkeys.signIn({ autofill: true })).data?.status];
    });
    expect(outcome).toEqual([true, 'signed_in']);
  });

  it('a passkey that is picked from expired suggestions is requested again', async () => {
    const { page, add } = await signedIn();
    await add();
    await page.evaluate(() => window.client.signOut());
    const calls = callsOf(page);
    const status = await page.evaluate(async () => {
      const now = Date.now();
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = async (options) => {
        const credential = await get(options);
        if (options?.mediation === 'conditional') Date.now = () => now + 600_000;
        return credential;
      };
      return (await window.client.passkeys.signIn({ autofill: true })).data?.status;
    });
    expect(status).toBe('signed_in');
    const options = 'POST /auth/passkeys/login/options';
    expect(calls).toEqual([options, options, 'POST /auth/passkeys/login/verify']);
  });

  it('suggestions that the service cannot prepare are reported as cancelled, with the cause', async () => {
    const { visitor, page } = await signedIn();
    await cutOff(visitor, '**/auth/passkeys/login/options');
    const codes = await page.evaluate(async () => {
      const { passkeys } = window.client;
      const asked = (await passkeys.signIn()).error;
      const offered = (await passkeys.signIn({ autofill: true })).error;
      const cause = offered && 'cause' in offered ? (offered.cause as { code: string }).code : undefined;
      return [asked?.code, offered?.code, cause];
    });
    expect(codes).toEqual(['network_failure', 'passkey_cancelled', 'network_failure']);
  });

  it('a ceremony that the user does not complete is reported as cancelled', async () => {
    const { page, authenticator, add } = await signedIn();
    await authenticator.setUserVerified(false);
    expect(await add()).toBe('passkey_cancelled');
    await page.evaluate(() => window.client.signOut());
    const code = await page.evaluate(async () => (await window.client.passkeys.signIn()).error?.code);
    expect(code).toBe('passkey_cancelled');
  });

  it('a second passkey of the same device is reported as existing', async () => {
    const { page, add } = await signedIn();
    expect(await add()).toBe('Laptop');
    // Users who have a passkey prove it before they add another one.
    const again = await page.evaluate(async () => {
      await window.client.signOut();
      return (await window.client.passkeys.signIn()).data?.status;
    });
    expect(again).toBe('signed_in');
    expect(await add()).toBe('passkey_exists');
  });

  it('a ceremony ends with `aborted` when its signal aborts', async () => {
    const { page, authenticator } = await signedIn();
    await authenticator.setPresent(false);
    const code = await page.evaluate(async () => {
      const signal = AbortSignal.timeout(300);
      return (await window.client.passkeys.signIn({ signal })).error?.code;
    });
    expect(code).toBe('aborted');
  });
});
