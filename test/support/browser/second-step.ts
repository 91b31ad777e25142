import type { Page } from 'playwright-core';
import { enrolFactor, type EnrolledFactor } from '../enrolled-user.js';
import type { TestService } from '../service.js';
import type { NewTestUser, TestUser } from '../test-users.js';
import { focused, shown } from './people.js';

/** Creates a user who has an authenticator app. */
export async function userWithApp(
  service: TestService,
  wanted?: NewTestUser,
): Promise<TestUser & EnrolledFactor> {
  const user = await service.createUser(wanted);
  return { ...user, ...(await enrolFactor(service.sql, user.id)) };
}

/** Signs in with a password by the keyboard alone: until the second step of that account is shown. */
export async function passFirstStep(
  page: Page,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  heading = 'Two-step verification',
): Promise<void> {
  await page.getByLabel('Email', { exact: true }).focus();
  // The field may hold the email that signed in before.
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await shown(page, heading);
}

/** Types into the focused field and submits its form. The code of an app submits itself. */
export async function answer(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  if (!/^\d{6}$/.test(text)) await page.keyboard.press('Enter');
}

/** Presses Tab until an element has the focus, as `BUTTON Use a recovery code`. */
export async function tabTo(page: Page, element: string): Promise<void> {
  const seen: string[] = [];
  for (let now = await focused(page); now !== element; now = await focused(page)) {
    seen.push(now);
    if (seen.length > 20) throw new Error(`Tab does not reach ${element}, only: ${seen.join(', ')}`);
    await page.keyboard.press('Tab');
  }
}

/** Goes to an element by the keyboard and presses Enter. */
export async function choose(page: Page, element: string): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
}

/** Returns the key that the page shows for the authenticator app. */
export const shownSecret = (page: Page): Promise<string> => page.locator('.secret').innerText();

/** Returns the recovery codes that the page shows. */
export const shownRecoveryCodes = (page: Page): Promise<string[]> =>
  page.locator('.codes li').allInnerTexts();
