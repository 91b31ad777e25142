import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** One-time secrets, refresh tokens and access tokens anywhere in an address, and parameters named like one. */
const SECRET = /lk[a-z]_[\w-]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|[?#&](token|code)=[^&]+/;

/** Fails while the address bar, or an entry that the back button leads to, shows a secret. */
export async function expectNoTokenInAddress(page: Page): Promise<void> {
  expect(await tokensInAddress(page)).toEqual([]);
}

/** Returns the addresses in the history of the page that show a secret, one line each. */
export async function tokensInAddress(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  await session.detach();
  return entries.filter(({ url }) => SECRET.test(url)).map(({ url }) => `token in address: ${url}`);
}
