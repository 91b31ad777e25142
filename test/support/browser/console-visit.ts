import type { Locator, Page } from 'playwright-core';
import { mintTokens } from '../minted-token.js';
import type { TestService } from '../service.js';
import type { TestUser } from '../test-users.js';
import { beSignedIn, shown } from './people.js';
import type { TestBrowser } from './test-browser.js';
import type { Visitor, VisitOptions } from './visitor.js';

/** A user in front of the console. */
export interface ConsoleVisit {
  visitor: Visitor;
  page: Page;
}

/** Opens a place of the console as a signed-in user. */
export async function visitConsole(
  browser: TestBrowser,
  service: TestService,
  { user, path = '', ...options }: { user: Pick<TestUser, 'id'>; path?: string } & VisitOptions,
): Promise<ConsoleVisit> {
  const visitor = await browser.visit(service.publicUrl, options);
  const { page } = visitor;
  await page.goto('/login');
  await beSignedIn(page, await mintTokens(service, user.id));
  await page.goto(`/console${path}`);
  await page.locator('main h1').waitFor();
  return { visitor, page };
}

/** Waits until the view has what it shows. */
export async function loaded(page: Page, heading?: string): Promise<void> {
  if (heading !== undefined) await shown(page, heading);
  await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
}

/** Returns the paths of the views in the navigation, without `/console/`, in the order of letters. */
export const pathsOfNavigation = (page: Page): Promise<string[]> =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).pathname.split('/')[2] ?? '').toSorted(),
    );

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** The question before an action. */
export const question = (page: Page): Locator => page.getByRole('dialog');

/** Chooses an action of the menu on the page of a user. */
export async function chooseMore(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
}

/** Confirms the question and waits for the outcome. */
export async function confirm(page: Page, outcome: string | RegExp): Promise<void> {
  await question(page).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.toast').getByText(outcome).waitFor();
}

/** Presses Tab until an element with this name has the focus. */
export async function tabToNamed(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const isThere = await page.evaluate((wanted) => {
      const { activeElement: element } = document;
      return (element?.getAttribute('aria-label') ?? element?.textContent.trim()) === wanted;
    }, name);
    if (isThere) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${name}".`);
}
