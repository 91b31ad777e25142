import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { PasskeyOwner } from '../passkey-client.js';
import { PlantedPages, type PlantedPage } from './planted-pages.js';

declare global {
  interface Window {
    addPasskey: (accessToken: string, currentPassword: string, name: string) => Promise<{ name: string }>;
    signInWithPasskey: () => Promise<{ accessToken: string }>;
  }
}

const DOCUMENT = new URL('../../../docs/passkeys.md', import.meta.url);
const LIBRARY = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'));

/** An app on its own origin with a page that runs the code of `docs/passkeys.md`. */
export class DocumentedApp {
  readonly url: string;
  readonly #content: Record<string, PlantedPage>;
  readonly #server: PlantedPages;

  private constructor(server: PlantedPages, content: Record<string, PlantedPage>) {
    this.#server = server;
    this.#content = content;
    this.url = server.url;
  }

  static async serve(): Promise<DocumentedApp> {
    const content: Record<string, PlantedPage> = { '/': { body: '' } };
    return new DocumentedApp(await PlantedPages.serve(content), content);
  }

  /** Makes the code call the service at this address instead of the one in the document. */
  callOn(publicUrl: string): void {
    const code = examples()
      .replace(/import (.*) from '@simplewebauthn\/browser';/, 'const $1 = SimpleWebAuthnBrowser;')
      .replaceAll('export async function', 'async function')
      .replaceAll('https://auth.example.com', publicUrl);
    const head = `<script>${readFileSync(LIBRARY, 'utf8')}</script>
      <script type="module">${code}; Object.assign(window, { addPasskey, signInWithPasskey });</script>`;
    this.#content['/'] = { head, body: '<h1>The app</h1>' };
  }

  /** Opens the app as a signed-in user and adds a passkey. */
  async addPasskey(page: Page, { token, password }: PasskeyOwner): Promise<{ name: string }> {
    await page.goto(this.url);
    return page.evaluate((owner) => window.addPasskey(owner.token, owner.password, 'My laptop'), {
      token,
      password,
    });
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

const examples = (): string =>
  [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code).join('\n');
