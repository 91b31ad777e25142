import { call, type CallOptions, type Failure, type Result } from './api.js';
import { pageData } from './page-data.js';
import { tabStorage } from './tab-storage.js';

/** What signing in answers; without tokens when they travel in cookies. */
export interface Tokens {
  accessToken?: string;
  refreshToken?: string;
}

export interface Me {
  email: string;
}

const KEY = 'latchkey.session';

/**
 * The session of this tab. In cookie mode the browser keeps it where no script can read it; else it stands in the
 * tab's own storage, for as long as it takes to finish what the person came for.
 */
const stored = (): Tokens => JSON.parse(tabStorage.getItem(KEY) ?? '{}') as Tokens;

export function keepSession({ accessToken, refreshToken }: Tokens): void {
  if (!pageData.cookieMode) tabStorage.setItem(KEY, JSON.stringify({ accessToken, refreshToken }));
}

/** Whether there may be a session; the service decides. */
export const mayHaveSession = (): boolean =>
  pageData.cookieMode
    ? /(?:^|; )lk_state=1(?:;|$)/.test(document.cookie)
    : stored().accessToken !== undefined;

/** A call as the person who is signed in, renewing an access token that has expired. */
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
  return PASSING.includes(renewed.code) ? renewed : first;
}

/** Failures that say nothing about the session. */
const PASSING = ['service_unavailable', 'internal_error', 'rate_limited'];

/** Whether a failure says that there is no session any more. */
export const isOver = ({ code }: Failure): boolean => code === 'unauthorized' || code === 'session_revoked';

/** Who is signed in here, if anybody. */
export async function whoIsSignedIn(): Promise<Me | undefined> {
  if (!mayHaveSession()) return undefined;
  const me = await callSignedIn<Me>('GET', '/auth/me');
  if (me.ok) return me.data;
  // What is left of a session that is over would be refused again with everything that is sent.
  if (isOver(me)) await endSession();
  return undefined;
}

/**
 * Signs out. A session that cannot be reached ends by itself; a tab forgets it in any case, cookies only the service can
 * take away.
 */
export async function endSession(): Promise<void> {
  await call('POST', '/auth/logout', { body: ownRefreshToken() });
  forgetSession();
}

/** To be called when the session is over. */
export const forgetSession = (): void => tabStorage.removeItem(KEY);

async function renew(): Promise<Result<Tokens>> {
  const renewed = await call<Tokens>('POST', '/auth/refresh', { body: ownRefreshToken() });
  if (renewed.ok) keepSession(renewed.data);
  return renewed;
}

/** In cookie mode the browser adds it. */
const ownRefreshToken = (): object => {
  const { refreshToken } = stored();
  return refreshToken === undefined ? {} : { refreshToken };
};

/**
 * Leaves for another address. Away from this host only cookies could take the session along: one that lives in this
 * tab would stay behind unused, so it is ended.
 */
export async function leaveFor(address: string): Promise<void> {
  const isElsewhere = new URL(address, location.href).origin !== location.origin;
  if (isElsewhere && !pageData.cookieMode && mayHaveSession()) await endSession();
  location.assign(address);
  return gone();
}

/** What is busy stays so until the page is left. One that the browser brings back as it was begins anew. */
const gone = (): Promise<never> =>
  new Promise(() => {
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload();
    });
  });
