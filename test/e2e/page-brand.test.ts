import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsOf, openPage, valuesOf, type HtmlPage } from '../support/html-page.js';
import { InvitationClient } from '../support/invitation-client.js';
import { startTestService, type TestService } from '../support/service.js';

let plain: TestService;
let branded: TestService;
beforeAll(async () => {
  plain = await startTestService();
  branded = await startTestService({
    smtp: true,
    env: {
      BRAND_NAME: 'A & B "C"',
      BRAND_LOGO_URL: '/brand/logo.svg',
      BRAND_LOGO_DARK_URL: '/brand/logo-dark.svg',
      BRAND_ACCENT: '#ff0',
      TERMS_URL: 'https://www.example.com/terms?a=1&b=2',
      SUPPORT_URL: '/help',
    },
  });
});
afterAll(async () => {
  await branded.stop();
  await plain.stop();
});

const signInPage = (service: TestService): Promise<HtmlPage> => openPage(service.client, '/login');
const imagesOf = (page: HtmlPage): string[] => valuesOf(page, 'src').filter((path) => !path.endsWith('.js'));

async function fileOf(service: TestService, extension: string): Promise<string> {
  const path = assetsOf(await signInPage(service)).find((asset) => asset.endsWith(extension)) ?? '';
  return (await service.client.send('GET', path)).text;
}

/** The accent of the light scheme and of the dark one. */
async function accentsOf(service: TestService): Promise<(string | undefined)[]> {
  const [light = '', dark = ''] = (await fileOf(service, '.css')).split('@media(prefers-color-scheme:dark)');
  return [light, dark].map((scheme) => /--accent:(#[0-9a-f]{6});--on-accent:#/.exec(scheme)?.[1]);
}

describe('the name of the brand', () => {
  it('the name is on every page, whatever characters it contains', async () => {
    for (const path of [
      '/login',
      '/account',
      '/company',
      '/accept-invitation',
      '/reset-password',
      '/verify-email',
      '/reject-registration',
      '/change-email',
      '/undo-email-change',
    ]) {
      const { html } = await openPage(branded.client, path);
      expect(html).toMatch(/<title>[A-Z][\w ]+ · A &amp; B &quot;C&quot;<\/title>/);
      expect(html).toContain('<img src="/brand/logo.svg" alt="A &amp; B &quot;C&quot;" class="logo">');
      expect(html).not.toContain('Latchkey');
    }
    expect((await signInPage(branded)).data.brand).toBe('A & B "C"');
    expect((await signInPage(plain)).data.brand).toBe('Latchkey');
  });

  it('the name is in mails, in subject, text and HTML', async () => {
    const { email } = await branded.createUser();
    await branded.api('POST', '/auth/password-reset/request', { body: { email } });
    const reset = await branded.mailTo(email);
    expect(reset.subject).toBe('Reset your A & B "C" password');
    expect(reset.text).toContain('Sent by A & B "C".');
    const invitations = await InvitationClient.open(branded);
    const invited = await invitations.invite({ metadata: { companyName: 'Acme & Co.' } });
    const { subject } = await branded.mailTo(invited.email);
    expect(subject).toBe('You are invited to join Acme & Co. on A & B "C"');
    for (const { html } of branded.smtp?.messages ?? []) {
      expect(html).toContain('A &amp; B &quot;C&quot;');
      expect(html).not.toContain('Latchkey');
    }
  });
});

it('a logo comes from this host; without one the first letter of the name replaces it', async () => {
  const page = await signInPage(branded);
  expect(imagesOf(page)).toEqual(['/brand/logo.svg']);
  expect(valuesOf(page, 'srcset')).toEqual(['/brand/logo-dark.svg']);
  expect(page.html).toContain('media="(prefers-color-scheme: dark)"');
  expect(imagesOf(await signInPage(plain))).toEqual([
    expect.stringMatching(/^\/auth\/assets\/mark-[0-9a-f]{12}\.svg$/),
  ]);
  expect(await fileOf(plain, '.svg')).toContain('>L</text></svg>');
});

it('the buttons of mails have the accent of the light scheme', async () => {
  const { email } = await branded.createUser();
  await branded.api('POST', '/auth/password-reset/request', { body: { email } });
  await branded.mailTo(email);
  const [accent = 'none'] = await accentsOf(branded);
  const html = branded.smtp?.messages.find(({ to }) => [to].flat().includes(email))?.html;
  expect(html).toContain(`background-color:${accent};color:#ffffff`);
});

it('the accent is in both schemes, changed where it would not be legible', async () => {
  const changed = expect.stringMatching(/^#(?!2f5bd0|ffff00)/) as string;
  expect(await accentsOf(plain)).toEqual(['#2f5bd0', changed]);
  expect(await accentsOf(branded)).toEqual([changed, '#ffff00']);
});

it('every page links to the pages of the operator that are set, in its language', async () => {
  for (const path of ['/login', '/accept-invitation', '/change-email']) {
    const { html } = await openPage(branded.client, path, { headers: { 'accept-language': 'de' } });
    expect(/<footer[^]*<\/footer>/.exec(html)?.[0]).toBe(
      '<footer class="footer"><ul>' +
        '<li><a href="https://www.example.com/terms?a=1&amp;b=2" target="_blank" rel="noopener">Nutzungsbedingungen</a></li>' +
        '<li><a href="/help" target="_blank" rel="noopener">Hilfe</a></li>' +
        '</ul></footer>',
    );
    expect((await openPage(plain.client, path)).html).not.toContain('<footer');
  }
});
