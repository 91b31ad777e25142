import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestService } from '../service.js';
import { agedSession } from '../step-up-client.js';
import type { TestUser } from '../test-users.js';
import { beSignedIn } from './people.js';
import type { TestBrowser } from './test-browser.js';
import type { Visitor, VisitOptions } from './visitor.js';

/** The views of `/account`, by the fragment of its address. */
export type AccountView = 'profile' | 'security' | 'sessions' | 'keys' | 'data';

interface Opened {
  visitor: Visitor;
  page: Page;
}

/** What opens the page: where, and how. */
export interface AccountVisit {
  browser: TestBrowser;
  service: TestService;
  user: Pick<TestUser, 'email' | 'password'>;
  view?: AccountView;
  options?: VisitOptions;
}

/** Opens the page with a session by password that began an hour ago: what is sensitive asks for a fresh sign-in. */
export async function openAccount(visit: AccountVisit): Promise<Opened> {
  const { service, user } = visit;
  return openWith(visit, await agedSession(service, await signIn(service, user)));
}

/** Opens the page with a session by password that begins now. */
export async function openFresh(visit: AccountVisit): Promise<Opened> {
  const { accessToken: token, refreshToken } = await signIn(visit.service, visit.user);
  return openWith(visit, { token, refreshToken });
}

/** Signs in by the interface. */
export async function signIn(
  service: TestService,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  headers: Record<string, string> = {},
): Promise<{ accessToken: string; refreshToken: string }> {
  const answer = await service.api('POST', '/auth/login', { body: { email, password }, headers });
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

const HEADINGS = {
  profile: /^(Profile|Profil)$/,
  security: /^(Security|Sicherheit)$/,
  sessions: /^(Sessions|Sitzungen)$/,
  keys: /^(API keys|API-Schlüssel)$/,
  data: /^(Your data|Ihre Daten)$/,
};

async function openWith(
  { browser, service, view = 'profile', options }: AccountVisit,
  session: { token: string; refreshToken: string },
): Promise<Opened> {
  const visitor = await browser.visit(service.publicUrl, options);
  const { page } = visitor;
  await page.goto('/login');
  await beSignedIn(page, session);
  await page.goto(`/account#${view}`);
  await page.getByRole('heading', { level: 1, name: HEADINGS[view] }).waitFor();
  return { visitor, page };
}

/** Waits for a message about a result. */
export const announced = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('.toasts').getByText(text).waitFor();
