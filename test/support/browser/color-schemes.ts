import type { Page } from 'playwright-core';

export type ColorScheme = 'light' | 'dark';

/** Runs `act` in light, then in dark, and restores the page. */
export async function inEachColorScheme(
  page: Page,
  act: (scheme: ColorScheme) => Promise<void>,
): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  try {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await act(scheme);
    }
  } finally {
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  }
}
