import type { Page } from 'playwright-core';
import type { Client, SessionState } from '@latchkey/client';
import { bundleForBrowsers } from '../browser-bundle.js';
import { PlantedPages } from './planted-pages.js';

declare global {
  interface Window {
    client: Client;
  }
}

/** A front end on its own origin whose pages have a client of the service. */
export class ClientPages {
  readonly url: string;
  readonly #pages: Record<string, { body: string; head: string }>;
  readonly #server: PlantedPages;

  private constructor(server: PlantedPages, pages: Record<string, { body: string; head: string }>) {
    this.#server = server;
    this.#pages = pages;
    this.url = server.url;
  }

  static async serve(): Promise<ClientPages> {
    const pages = {};
    return new ClientPages(await PlantedPages.serve(pages), pages);
  }

  /** Serves the pages `/localStorage` and `/cookies` with clients for this address. */
  async connect(baseUrl: string): Promise<void> {
    const code = await bundleForBrowsers('test/support/browser/client-entry.ts');
    for (const tokens of ['localStorage', 'cookies']) {
      const data = JSON.stringify({ baseUrl, tokens });
      const head = `<script>Object.assign(document.documentElement.dataset, ${data})</script>
        <script type="module">${code}</script>`;
      this.#pages[`/${tokens}`] = { head, body: '<h1>Front end</h1>' };
    }
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Sends requests at once from a page. Returns the code of each error, or `ok`. */
export const meFrom = (page: Page, count: number): Promise<string[]> =>
  page.evaluate(async (times) => {
    const results = await Promise.all(Array.from({ length: times }, () => window.client.me()));
    return results.map(({ error }) => error?.code ?? 'ok');
  }, count);

export const stateOf = (page: Page): Promise<SessionState> =>
  page.evaluate(() => window.client.session.state);

/** Waits until the client of a page has this status. */
export const untilStatus = async (page: Page, status: SessionState['status']): Promise<void> => {
  // Tabs in the background draw nothing, so the default of asking at each frame would not end.
  const options = { polling: 50 };
  await page.waitForFunction((wanted) => window.client.session.state.status === wanted, status, options);
};

/** Signs in by the client of a page. */
export const signInFrom = async (
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> => {
  const code = await page.evaluate(
    async (credentials) => (await window.client.signIn(credentials)).error?.code,
    { email, password },
  );
  if (code !== undefined) throw new Error(code);
};

/** Changes the stored session of every tab: a due time in the past, or an access token that the service refuses. */
export const ageStoredSession = (page: Page, how: 'due' | 'refused'): Promise<void> =>
  page.evaluate(async (change) => {
    const [key = ''] = Object.keys(localStorage).filter((each) => each.startsWith('latchkey.'));
    const session = JSON.parse(localStorage.getItem(key) ?? '{}') as { accessToken: string };
    const aged =
      change === 'due'
        ? { ...session, refreshAt: 0 }
        : { ...session, accessToken: `${session.accessToken}x` };
    localStorage.setItem(key, JSON.stringify(aged));
    const open = indexedDB.open('latchkey', 1);
    await new Promise((resolve) => (open.onsuccess = resolve));
    const transaction = open.result.transaction('sessions', 'readwrite');
    transaction.objectStore('sessions').put({ session: aged }, key);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    open.result.close();
  }, how);
