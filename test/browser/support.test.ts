import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import { findChromium } from '../support/browser/chromium.js';
import { tabOrder, tabStops } from '../support/browser/keyboard.js';
import { expectLargeTextFits } from '../support/browser/large-text.js';
import { expectNoSidewaysScrolling, layoutShift } from '../support/browser/layout.js';
import { photograph } from '../support/browser/photograph.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { describeWithBrowser, type TestBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { startTestService, type TestService } from '../support/service.js';

const SECRET = `lkp_${'x'.repeat(43)}`;
const STRICT = "default-src 'none'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'";

const SOUND = '<main><h1>Sound</h1><label>Name <input size="8"></label> <button>Go</button></main>';

declare global {
  interface Window {
    register: (user: string) => Promise<string>;
    choose: (mediation: 'optional' | 'conditional') => Promise<string>;
    giveUp: () => void;
  }
}

/** Each ceremony returns the handle of the user or the name of the error. */
const PASSKEY_SCRIPT = `
  const challenge = new Uint8Array(32);
  const failed = (error) => error.name;
  let pending = new AbortController();
  window.giveUp = () => { pending.abort(); pending = new AbortController(); };
  window.register = (name) => navigator.credentials.create({ publicKey: {
    rp: { id: 'localhost', name: 'Planted' },
    user: { id: new TextEncoder().encode(name), name, displayName: name },
    challenge,
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  } }).then(() => name, failed);
  window.choose = (mediation) => navigator.credentials.get({
    mediation, signal: pending.signal, publicKey: { challenge, rpId: 'localhost', userVerification: 'required' },
  }).then(({ response }) => new TextDecoder().decode(response.userHandle), failed);
`;

const PAGES = {
  '/sound': { body: SOUND, policy: STRICT },
  '/policy': { body: `<script>document.title = 'x'</script><p style="color: red">red</p>`, policy: STRICT },
  '/foreign': { body: '<img alt="" src="http://elsewhere.example/x.png">' },
  '/foreign-icon': { head: '<link rel="icon" href="http://elsewhere.example/icon.png">', body: '' },
  '/console': { body: `<script>console.error('oh'); console.warn('hm');</script>` },
  '/uncaught': { body: `<script>throw new Error('planted')</script>` },
  '/rejected': { body: `<script>Promise.reject(new Error('unhandled'))</script>` },
  '/missing-part': { body: '<img alt="" src="/nowhere.png">' },
  '/broken-part': { body: `<script>fetch('http://localhost:1').catch(() => 0)</script>` },
  '/shift': {
    // What moves before the first paint is no shift.
    body: `<p id="late"></p><p>text</p>
      <script>
        const move = () => setTimeout(() => { late.style.height = '300px'; }, 50);
        new PerformanceObserver(move).observe({ type: 'paint', buffered: true });
      </script>`,
  },
  '/cleaned': { body: `<script>history.replaceState(null, '', '/cleaned')</script>` },
  '/pushed': { body: `<script>history.pushState(null, '', '/pushed')</script>` },
  '/barriers': {
    head: `<style>
      @media (prefers-color-scheme: dark) { #pale { background: #000; color: #333 } }
      #blend { background: linear-gradient(#000, #fff); color: #777 }
      button { padding: 0; border: 0; width: 30px; height: 30px; display: block }
      #small { width: 9px; height: 9px }
    </style>`,
    body: `<main><h1 id="pale">Pale</h1><p id="blend">which colour</p>
      <button id="nameless"></button><button id="small" aria-label="small"></button><button>ok</button></main>`,
  },
  '/wide': { body: '<div class="ruler" style="width: 400px">wide</div>' },
  '/crowded': {
    body: `<p style="font-size: 14px">fixed</p>
      <p style="height: 1.2em; overflow: hidden; width: 300px">one two three four five six</p>
      <div style="height: 20px; overflow: hidden">low</div>
      <input aria-label="low" style="height: 20px; width: 90px; padding: 0; font: inherit">
      <p class="ruler" style="width: 12em">wide</p>`,
  },
  '/fixed-root': { head: '<style>html { font-size: 16px }</style>', body: '<p>root</p>' },
  '/for-ears': {
    body: `<p style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">
      for ears</p><pre style="overflow: auto">a line that is far too long for the screen of a telephone</pre>`,
  },
  '/keys': {
    head: '<style>.bare:focus { outline: 0 } .ring:focus { outline: 0; box-shadow: 0 0 0 3px #00f }</style>',
    body: `<a href="/sound">first</a><label>Name <input autofocus></label>
      <button class="ring">ring</button><button disabled>off</button><input type="submit" value="Send">`,
  },
  '/dialog': {
    body: `<button>behind</button><dialog id="ask"><button>yes</button><button>no</button></dialog>
      <script>ask.showModal()</script>`,
  },
  '/unmarked': {
    head: '<style>button { box-shadow: 0 0 3px #000 } .bare:focus { outline: 0 }</style>',
    body: '<button>seen</button><button class="bare">unseen</button>',
  },
  '/passkeys': { head: `<script>${PASSKEY_SCRIPT}</script>`, body: '<p>Passkeys</p>' },
  '/trap': {
    body: `<button>out</button><button onkeydown="event.key === 'Tab' && event.preventDefault()">in</button>`,
  },
};

const FAULTS = [
  ['/policy', /^policy violation: script-src-elem inline/, /^policy violation: style-src-attr inline/],
  ['/foreign', /^foreign request: GET http:\/\/elsewhere\.example\/x\.png$/],
  ['/console', /^console: error: oh/, /^console: warning: hm/],
  ['/uncaught', /^uncaught: Error: planted/],
  ['/rejected', /^uncaught: Error: unhandled/],
  ['/missing-part', /^console: error: .*404.*nowhere\.png/],
  ['/broken-part', /^failed request: http:\/\/localhost:1\/ net::ERR_/],
] as const;

describeWithBrowser('browser tests', (browser) => {
  let pages: PlantedPages;
  beforeAll(async () => {
    pages = await PlantedPages.serve(PAGES);
  });
  afterAll(() => pages.stop());

  const open = async (path: keyof typeof PAGES, options?: Parameters<TestBrowser['visit']>[1]) => {
    const visitor = await browser.visit(pages.url, options);
    await visitor.page.goto(path);
    return visitor;
  };
  const pageAt = async (path: keyof typeof PAGES): Promise<Page> => (await open(path)).page;

  describe('a visit', () => {
    it('a visit reports no faults of a sound page', async () => {
      const visitor = await open('/sound');
      expect(await visitor.faults()).toEqual([]);
      await expect(visitor.leave()).resolves.toBeUndefined();
    });

    it('a visit fails at its end after faults', async () => {
      const visitor = await open('/uncaught');
      await expect(visitor.leave()).rejects.toThrow('faults of the visit');
      expect(visitor.page.isClosed()).toBe(true);
    });

    it('a visit fails if an expected fault did not happen', async () => {
      const visitor = await open('/sound');
      visitor.expectFault(/console/);
      await expect(visitor.leave()).rejects.toThrow('faults of the visit');
    });

    it('a visit finds every kind of fault', async () => {
      const visitor = await browser.visit(pages.url);
      for (const [path, ...patterns] of FAULTS) {
        await visitor.page.goto(path);
        await expect
          .poll(() => visitor.faults(), { message: path })
          .toEqual(
            expect.arrayContaining(patterns.map((pattern) => expect.stringMatching(pattern) as string)),
          );
      }
      visitor.expectFault(/./);
    });

    it('a visit reports faults without JavaScript too', async () => {
      const visitor = await open('/policy', { javaScript: false });
      expect(await visitor.faults()).toEqual([expect.stringMatching(/^console: error: .*style-src/)]);
      visitor.expectFault(/style-src/);
    });

    it('a visit has the given window size, colour scheme and motion', async () => {
      const visitor = await open('/sound', {
        colorScheme: 'dark',
        width: 400,
        height: 300,
        reducedMotion: true,
      });
      const seen = await visitor.page.evaluate(() => [
        innerWidth,
        innerHeight,
        matchMedia('(prefers-color-scheme: dark)').matches,
        matchMedia('(prefers-reduced-motion: reduce)').matches,
      ]);
      expect(seen).toEqual([400, 300, true, true]);
    });
  });

  describe('a secret in the address', () => {
    it.each([`/sound?token=${SECRET}`, `/sound#${SECRET}`, `/pushed?token=1`])(
      'a secret in the address is found at %s',
      async (path) => {
        const visitor = await browser.visit(pages.url);
        await visitor.page.goto(path);
        await expect(expectNoTokenInAddress(visitor.page)).rejects.toThrow();
        await expect(visitor.leave()).rejects.toThrow();
      },
    );

    it('a secret in the address is not found after the page has replaced it', async () => {
      const visitor = await browser.visit(pages.url);
      await visitor.page.goto(`/cleaned?token=${SECRET}`);
      await expectNoTokenInAddress(visitor.page);
    });
  });

  describe('layout', () => {
    it('shifts are measured, and a stable page has none', async () => {
      const moving = await pageAt('/shift');
      await moving.waitForFunction(() => document.getElementById('late')?.style.height === '300px');
      expect(await layoutShift(moving)).toBeGreaterThan(0.01);
      expect(await layoutShift(await pageAt('/sound'))).toBe(0);
    });

    it('an element that is wider than the window is named', async () => {
      const { page } = await open('/wide', { width: 320 });
      await expect(expectNoSidewaysScrolling(page)).rejects.toThrow(/^320 px wide/);
      await page.setViewportSize({ width: 500, height: 500 });
      await expectNoSidewaysScrolling(page);
    });

    it('large text does not fit in a crowded page', async () => {
      await expect(expectLargeTextFits(await pageAt('/crowded'))).rejects.toMatchObject({
        actual: [
          'does not grow: fixed',
          'is cut off: one two three four five six',
          'is cut off: low',
          expect.stringMatching(/^is too low: <input aria-label="low"/),
          'is too wide: <p class="ruler"> ends at 392 px',
        ],
      });
    });

    it('large text follows the setting of the reader, not of the page', async () => {
      await expect(expectLargeTextFits(await pageAt('/fixed-root'))).rejects.toMatchObject({
        actual: ['does not grow: root'],
      });
    });

    it('large text fits in a sound page', async () => {
      const { page } = await open('/sound');
      await expectLargeTextFits(page);
      await page.goto('/for-ears');
      await expectLargeTextFits(page);
    });
  });

  describe('screenshots', () => {
    it('screenshots show both colour schemes in both widths and do not change the page', async () => {
      const { page } = await open('/sound', { colorScheme: 'dark', width: 600 });
      const pictures = await photograph(page, 'support', true);
      expect(pictures.map((path) => path.replace(/.*\//, ''))).toEqual([
        'support.light.320.png',
        'support.dark.320.png',
        'support.light.1280.png',
        'support.dark.1280.png',
      ]);
      expect(pictures.every((picture) => existsSync(picture))).toBe(true);
      expect(page.viewportSize()?.width).toBe(600);
      expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    });

    it('no picture is written unless it is wanted', async () => {
      expect(await photograph(await pageAt('/sound'), 'unwanted', false)).toEqual([]);
    });

    it('screenshots fail for a page that is too wide', async () => {
      await expect(photograph(await pageAt('/wide'), 'wide')).rejects.toThrow(/^320 px wide/);
    });
  });

  describe('accessibility', () => {
    it('a sound page passes under a policy that allows no script', async () => {
      await checkAccessibility(await pageAt('/sound'));
    });

    it('barriers are found, and those of colours in either colour scheme', async () => {
      const failure: unknown = await checkAccessibility(await pageAt('/barriers')).catch(
        (error: unknown) => error,
      );
      const { actual } = failure as { actual: string[] };
      expect(actual.map((line) => line.split(':', 2).join(':'))).toEqual([
        'light: button-name at #nameless',
        'light: target-size at #small',
        'light: color-contrast at #blend',
        'dark: color-contrast at #pale',
        'dark: color-contrast at #blend',
      ]);
    });
  });

  describe('the keyboard', () => {
    it('the keyboard reaches links, fields and buttons in order from the top', async () => {
      expect(await tabOrder(await pageAt('/keys'))).toEqual(['first', 'Name', 'ring', 'Send']);
    });

    it('the keyboard stays in an open dialog', async () => {
      expect(await tabOrder(await pageAt('/dialog'))).toEqual(['yes', 'no']);
    });

    it('the keyboard finds a button without a visible focus', async () => {
      const page = await pageAt('/unmarked');
      expect(await tabStops(page)).toEqual([
        { role: 'button', name: 'seen', showsFocus: true },
        { role: 'button', name: 'unseen', showsFocus: false },
      ]);
      await expect(tabOrder(page)).rejects.toThrow('without a visible focus');
    });

    it('the keyboard finds a focus trap', async () => {
      await expect(tabOrder(await pageAt('/trap'))).rejects.toThrow('does not get past');
    });
  });

  describe('the virtual authenticator', () => {
    const withAuthenticator = async () => {
      const { page } = await open('/passkeys');
      return { page, authenticator: await addVirtualAuthenticator(page) };
    };
    const register = (page: Page, name: string) => page.evaluate((user) => window.register(user), name);
    const choose = (page: Page, mediation: 'optional' | 'conditional') =>
      page.evaluate((how) => window.choose(how), mediation);

    it('the virtual authenticator keeps a passkey and signs with it', async () => {
      const { page, authenticator } = await withAuthenticator();
      expect(await register(page, 'ada')).toBe('ada');
      expect(await choose(page, 'optional')).toBe('ada');
      expect(await authenticator.credentials()).toEqual([
        expect.objectContaining({
          rpId: 'localhost',
          userHandle: btoa('ada'),
          isResident: true,
          signCount: 2,
        }),
      ]);
    });

    it('the virtual authenticator fails if the user is not verified and if the passkey was deleted', async () => {
      const { page, authenticator } = await withAuthenticator();
      await register(page, 'ada');
      await authenticator.setUserVerified(false);
      expect(await choose(page, 'optional')).toBe('NotAllowedError');
      await authenticator.setUserVerified(true);
      const [kept] = await authenticator.credentials();
      await authenticator.forget(kept?.credentialId ?? '');
      expect(await choose(page, 'optional')).toBe('NotAllowedError');
    });

    it('the virtual authenticator picks a suggestion while the user is present', async () => {
      const { page } = await withAuthenticator();
      await register(page, 'ada');
      expect(await choose(page, 'conditional')).toBe('ada');
    });

    it('the virtual authenticator leaves a request open while the user is absent, and the page can abort it', async () => {
      const { page, authenticator } = await withAuthenticator();
      await register(page, 'ada');
      await authenticator.setPresent(false);
      const pending = choose(page, 'conditional');
      await page.evaluate(() => window.giveUp());
      expect(await pending).toBe('AbortError');
      await authenticator.setPresent(true);
      expect(await choose(page, 'optional')).toBe('ada');
    });
  });

  describe('the service in the browser', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService({ env: passkeySettings });
    });
    afterAll(() => service.stop());

    it('the service has the address that its links start with', async () => {
      const { page } = await browser.visit(service.publicUrl);
      const user = await service.createUser();
      await service.api('POST', '/auth/password-reset/request', { body: { email: user.email } });
      const { link, subject } = await service.mailTo(user.email);
      await page.goto('/dev/mail');
      await page.getByRole('link', { name: subject }).click();
      expect(await page.getByRole('link', { name: '/reset-password' }).getAttribute('href')).toBe(link);
      expect(new URL(link).origin).toBe(new URL(page.url()).origin);
    });

    it('the service serves the API reference without foreign requests', async () => {
      const { page } = await browser.visit(service.publicUrl);
      await page.goto('/docs');
      await page.getByRole('heading', { name: /Latchkey/ }).waitFor();
    });
  });
});

describeWithBrowser(
  'a whole browser',
  (browser) => {
    it('a visit finds a foreign icon', async () => {
      const pages = await PlantedPages.serve(PAGES);
      onTestFinished(() => pages.stop());
      const visitor = await browser.visit(pages.url);
      await visitor.page.goto('/foreign-icon');
      const icon = /^foreign request: GET http:\/\/elsewhere\.example\/icon\.png$/;
      await expect
        .poll(() => visitor.faults())
        .toEqual(expect.arrayContaining([expect.stringMatching(icon) as string]));
      visitor.expectFault(/./);
    });
  },
  { isWhole: true },
);

describe('the browser of the tests', () => {
  it('the browser of the tests is the one of CHROMIUM_PATH, or the first on the PATH', () => {
    const env = { CHROMIUM_PATH: '/opt/chromium', PATH: '/usr/bin' };
    expect(findChromium({ env })).toBe('/opt/chromium');
    expect(findChromium({ env: { PATH: '/nowhere' } })).toBeUndefined();
    expect(findChromium({ env: {} })).toBeUndefined();
  });

  it('a headless shell is preferred, except where a test needs a whole browser', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'browsers-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const name of ['chromium', 'chromium-headless-shell']) {
      await writeFile(path.join(folder, name), '', { mode: 0o755 });
    }
    const env = { PATH: folder };
    expect(findChromium({ env })).toBe(path.join(folder, 'chromium-headless-shell'));
    expect(findChromium({ env, isWhole: true })).toBe(path.join(folder, 'chromium'));
  });
});
