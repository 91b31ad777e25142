import type { Locator, Page } from 'playwright-core';
import type { SignedInTestUser } from '../minted-token.js';
import type { TestService } from '../service.js';
import type { Visitor } from './visitor.js';

/** Waits for the view with this heading. */
export const shown = (page: Page, heading: string): Promise<void> =>
  page.getByRole('heading', { name: heading, exact: true }).waitFor();

/** Waits until the view that is shown says this. */
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('[data-view]:visible').getByText(text).waitFor();

/** What has the focus, as `BUTTON Sign in`. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return `${element?.tagName ?? ''} ${element?.id ?? ''}${element?.textContent ?? ''}`.trim();
  });

/** Presses a button several times at once, as an impatient person does, or a shaky mouse. */
export const pressAtOnce = (button: Locator, times: number): Promise<void> =>
  button.evaluate((element: HTMLElement, count) => {
    for (let done = 0; done < count; done++) element.click();
  }, times);

/** Announces an answer with this status: the browser writes a line about it. */
export const expectAnswer = (visitor: Visitor, status: number): void =>
  visitor.expectFault(new RegExp(`^console: error: Failed to load resource: .* status of ${status} `));

/** Nothing gets through to these paths from now on. Gives the way back. */
export async function cutOff(visitor: Visitor, paths: string): Promise<() => Promise<void>> {
  const { page } = visitor;
  visitor.expectFault(/^failed request: .* net::ERR_CONNECTION_REFUSED/);
  visitor.expectFault(/^console: error: Failed to load resource: net::ERR_CONNECTION_REFUSED/);
  await page.route(paths, (route) => route.abort('connectionrefused'));
  return () => page.unroute(paths);
}

/** Calls to these paths wait until they are let go on. */
export async function hold(page: Page, paths: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(paths, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/** The paths of the calls from now on, as `POST /auth/login`. */
export function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() === 'fetch') calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

/** Whoever is signed in in this tab of a page of the service, as if by its sign-in page before. */
export async function beSignedIn(
  page: Page,
  user: Pick<SignedInTestUser, 'token' | 'refreshToken'>,
): Promise<void> {
  const session = JSON.stringify({ accessToken: user.token, refreshToken: user.refreshToken });
  await page.evaluate((value) => sessionStorage.setItem('latchkey.session', value), session);
}

/** What this tab keeps, by key. */
export const keptInTab = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(sessionStorage).sort());

/** How many sessions of a user are live. */
export async function liveSessions({ sql }: TestService, email: string): Promise<number> {
  const rows = await sql(
    `SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND NOT s.is_revoked`,
    [email],
  );
  return rows.length;
}
