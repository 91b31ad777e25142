import { call, type CallOptions, type Failure, type Result } from './api.js';
import { pageData } from './page-data.js';
import { tabStorage } from './tab-storage.js';

/** The response to a sign-in; without tokens when they are in cookies. */
export interface Tokens {
  accessToken?: string;
  refreshToken?: string;
}

export interface Me {
  email: string;
}

const KEY = 'latchkey.session';

/**
 * Returns the session of this tab. In cookie mode the browser keeps it where no script can read it; otherwise it is in the
 * storage of the tab until the page is done.
 */
const stored = (): Tokens => JSON.parse(tabStorage.getItem(KEY) ?? '{}') as Tokens;

export function keepSession({ accessToken, refreshToken }: Tokens): void {
  if (!pageData.cookieMode) tabStorage.setItem(KEY, JSON.stringify({ accessToken, refreshToken }));
}

/** Reports whether there may be a session; the service decides. */
export const mayHaveSession = (): boolean =>
  pageData.cookieMode
    ? /(?:^|; )lk_state=1(?:;|$)/.test(document.cookie)
    : stored().accessToken !== undefined;

/** Calls the service as the signed-in user. Renews an expired access token. */
export async function callSignedIn<Data>(
  method: 'GET' | 'POST',
  path: string,
  options: CallOptions = {},
): Promise<Result<Data>> {
  const attempt = () => call<Data>(method, path, { ...options, token: stored().accessToken });
  const first = await attempt();
  if (first.ok || first.code !== 'unauthorized') return first;
  const renewed = await renew();
  if (renewed.ok) return attempt();
  return TRANSIENT.includes(renewed.code) ? renewed : first;
}

/** Failures that do not concern the session. */
const TRANSIENT = ['service_unavailable', 'internal_error', 'rate_limited'];

/** Reports whether a failure means that the session has ended. */
export const isSignedOut = ({ code }: Failure): boolean =>
  code === 'unauthorized' || code === 'session_revoked';

/** Returns the signed-in user, or undefined. */
export async function fetchMe(): Promise<Me | undefined> {
  if (!mayHaveSession()) return undefined;
  const me = await callSignedIn<Me>('GET', '/auth/me');
  if (me.ok) return me.data;
  // The rest of an ended session would make every later request fail.
  if (isSignedOut(me)) await endSession();
  return undefined;
}

/**
 * Signs out. If the service is unreachable, the tab still forgets its session, which then expires. Cookies can be cleared by
 * the service only.
 */
export async function endSession(): Promise<void> {
  await call('POST', '/auth/logout', { body: ownRefreshToken() });
  forgetSession();
}

/** Removes the session from the tab once it has ended. */
export const forgetSession = (): void => tabStorage.removeItem(KEY);

async function renew(): Promise<Result<Tokens>> {
  const renewed = await call<Tokens>('POST', '/auth/refresh', { body: ownRefreshToken() });
  if (renewed.ok) keepSession(renewed.data);
  return renewed;
}

/** Returns the refresh token as a body; empty in cookie mode, where the browser adds it. */
const ownRefreshToken = (): object => {
  const { refreshToken } = stored();
  return refreshToken === undefined ? {} : { refreshToken };
};

/**
 * Navigates to another address. Only cookies can carry a session to another host; a session of this tab would remain unused,
 * so it is ended first.
 */
export async function navigateTo(address: string): Promise<void> {
  const isElsewhere = new URL(address, location.href).origin !== location.origin;
  if (isElsewhere && !pageData.cookieMode && mayHaveSession()) await endSession();
  location.assign(address);
  return untilPageIsLeft();
}

/** Never resolves, so that the page stays busy until it is left. Reloads a page that the browser restores. */
const untilPageIsLeft = (): Promise<never> =>
  new Promise(() => {
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload();
    });
  });
