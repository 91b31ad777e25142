import type { BrowserContext, Cookie, Locator, Page } from 'playwright-core';
import type { StoredSession } from '@latchkey/client';
import { DEVICE } from '../cookie-browser.js';
import type { SignedInTestUser } from '../minted-token.js';
import type { TestService } from '../service.js';
import type { Visitor } from './visitor.js';

/** Waits for the view with this heading. */
export const shown = (page: Page, heading: string): Promise<void> =>
  page.getByRole('heading', { name: heading, exact: true }).waitFor();

/** Waits for the account of a user who has signed in without another target. */
export async function atAccount(page: Page, email?: string): Promise<void> {
  await page.waitForURL(/\/account$/);
  await shown(page, 'Profile');
  if (email !== undefined) await page.getByText(email).first().waitFor();
}

/** Waits until the visible view contains this text. */
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('[data-view]:visible').getByText(text).waitFor();

/** Returns the focused element, as `BUTTON Sign in`. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return `${element?.tagName ?? ''} ${element?.id ?? ''}${element?.textContent ?? ''}`.trim();
  });

/** Presses a button several times at once, like an impatient user. */
export const pressAtOnce = (button: Locator, times: number): Promise<void> =>
  button.evaluate((element: HTMLElement, count) => {
    for (let done = 0; done < count; done++) element.click();
  }, times);

/** Expects a response with this status, which the browser logs to the console. */
export const expectAnswer = (visitor: Visitor, status: number): void => visitor.expectFault(lineOf(status));

/** Allows a response with this status on a page that is left because of it, and whose console may then be lost. */
export const allowAnswer = (visitor: Visitor, status: number): void => visitor.allowFault(lineOf(status));

const lineOf = (status: number): RegExp =>
  new RegExp(`^console: error: Failed to load resource: .* status of ${status} `);

/** Blocks requests to these paths. Returns a function that allows them again. */
export async function cutOff(visitor: Visitor, paths: string): Promise<() => Promise<void>> {
  const { page } = visitor;
  visitor.expectFault(/^failed request: .* net::ERR_CONNECTION_REFUSED/);
  visitor.expectFault(/^console: error: Failed to load resource: net::ERR_CONNECTION_REFUSED/);
  await page.route(paths, (route) => route.abort('connectionrefused'));
  return () => page.unroute(paths);
}

/** Holds requests to these paths. Returns a function that releases them. */
export async function hold(page: Page, paths: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(paths, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/** Records calls from now on, as `POST /auth/login`. */
export function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() === 'fetch') calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

/** Signs a user in to this tab, as the sign-in page would. */
export async function beSignedIn(
  page: Page,
  user: Pick<SignedInTestUser, 'token' | 'refreshToken'>,
): Promise<void> {
  const session = JSON.stringify({
    id: 'a1',
    refreshAt: Date.now() + 600_000,
    accessToken: user.token,
    refreshToken: user.refreshToken,
  } satisfies StoredSession);
  await page.evaluate((value) => sessionStorage.setItem('latchkey.session', value), session);
}

/** Returns the cookies of a session, without that of the device. */
export const sessionCookies = async (context: BrowserContext, url?: string): Promise<Cookie[]> =>
  (await context.cookies(url)).filter(({ name }) => name !== DEVICE);

/** Returns the storage keys of this tab. */
export const keptInTab = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(sessionStorage).sort());

/** Returns the number of active sessions of a user. */
export async function liveSessions({ sql }: TestService, email: string): Promise<number> {
  const rows = await sql(
    `SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND NOT s.is_revoked`,
    [email],
  );
  return rows.length;
}
