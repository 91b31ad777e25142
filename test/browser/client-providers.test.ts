import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import express from 'express';
import { afterAll, beforeAll, beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import { createTestAuth, TEST_PASSWORD, type TestAuth } from '@latchkey/testing';
import { freePort } from '../../tools/shared/free-port.mjs';
import { bundleForBrowsers } from '../support/browser-bundle.js';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { allowAnswer, shown } from '../support/browser/people.js';
import { ProviderPage } from '../support/browser/provider-page.js';
import { choose } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { externalEnv, googlePerson } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';

const COMPANY = '33333333-3333-4333-8333-333333333333';

let script: string;
const style = readFileSync('packages/client/src/components.css', 'utf8');
beforeAll(async () => {
  script = await bundleForBrowsers('test/support/browser/react-entry.tsx');
});

const pageIn = (language: string, url: string): string => `<!doctype html>
<html lang="${language}" data-callback-url="${url}/${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>App</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
<div id="root"></div>
<script type="module" src="/app.js"></script>
</html>`;

/** Starts an app, whose page is where providers send the browser back to, too. */
async function startApp(provider: HostileProvider): Promise<{ url: string; kit: TestAuth }> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = {
    ...externalEnv(provider),
    AUTH_BASE_URL: url,
    EXTERNAL_REDIRECT_URIS: `${url}/en,${url}/de`,
  };
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, settings });
  const app = express();
  app.get('/app.js', (_request, response) => void response.type('js').send(script));
  app.get('/app.css', (_request, response) => void response.type('css').send(style));
  app.get(['/en', '/en/:connection'], (_request, response) => {
    response.type('html').send(pageIn('en', url));
  });
  app.get(['/de', '/de/:connection'], (_request, response) => {
    response.type('html').send(pageIn('de', url));
  });
  app.use(createAuthRouter(kit.auth, { pages: false }));
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(port, resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await kit.close();
  });
  return { url, kit };
}

describeWithBrowser('sign-in by other services in the ready-made component', (browser) => {
  let provider: HostileProvider;
  let there: ProviderPage;
  beforeAll(async () => {
    provider = await HostileProvider.start();
    there = await ProviderPage.start(provider);
  });
  beforeEach(() => {
    there.behave({});
    there.person = googlePerson();
  });
  afterAll(() => {
    there.stop();
    provider.stop();
  });

  const open = async (language = 'en') => {
    const { url, kit } = await startApp(provider);
    const visitor = await browser.visit(url, { origins: [there.url] });
    await visitor.page.goto(`/${language}`);
    return { kit, visitor, page: visitor.page };
  };

  it('a user of an account with that address signs in once as before, and by the service from then on', async () => {
    const { kit, page } = await open();
    const user = await kit.user({ company: COMPANY, modules: [], fullName: 'Ann Berg' });
    there.person = { ...googlePerson(user.email), email_verified: false };
    await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
    await checkAccessibility(page);
    await choose(page, 'BUTTON Continue with Plain');
    await page.getByText(/An account with your email address exists.*then Plain is linked/).waitFor();
    expect(new URL(page.url())).toMatchObject({ pathname: '/en/plain', search: '' });
    expect(await page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0);
    await checkAccessibility(page);
    await new SignInForm(page).send({ email: user.email, password: TEST_PASSWORD });
    await page.getByText('Sign-ins: 1').waitFor();

    await page.evaluate(() => window.client.signOut());
    await choose(page, 'BUTTON Continue with Plain');
    await page.getByText('Sign-ins: 1').waitFor();
    await page.getByText('Ann Berg works in 3333').first().waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  it('what goes wrong there is said in German, and the form stays', async () => {
    const { page, visitor } = await open('de');
    allowAnswer(visitor, 401);
    there.person = undefined;
    await page.getByRole('button', { name: 'Weiter mit Google' }).click();
    await page.getByText('Die Anmeldung wurde abgebrochen.').waitFor();
    await shown(page, 'Anmelden');
    there.person = googlePerson();
    there.behave({ claims: { nonce: 'another' } });
    await page.getByRole('button', { name: 'Weiter mit Google' }).click();
    await page.getByText('Der andere Dienst hat diese Anmeldung nicht bestätigt.').waitFor();
  });

  it('a response that another tab has begun is not sent', async () => {
    const { page } = await open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.goto('/en/google?state=lks_of-another-tab&code=b');
    await page.getByText('This sign-in was begun in another tab.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(sent.filter((url) => url.includes('/finish'))).toEqual([]);
    // A parameter of the app itself stays.
    await page.goto('/en?state=open');
    await shown(page, 'Sign in');
    expect(new URL(page.url()).search).toBe('?state=open');
  });
});
