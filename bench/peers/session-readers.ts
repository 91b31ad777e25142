import type { RequestVariant } from '../support/load.js';
import type { BetterAuth } from './better-auth.js';
import type { Latchkey } from './latchkey.js';

/** Sessions of several users at one server. */
export interface SessionReaders {
  /** Address that returns the session. */
  url: string;
  pid: number;
  /** Returns one request for each session. @throws AssertionError unless each returns its user. */
  requests: () => Promise<RequestVariant[]>;
}

/** Number of sessions that are read in turn. */
const READERS = 50;

export async function latchkeyReaders(
  latchkey: Latchkey,
  emails: readonly string[],
): Promise<SessionReaders> {
  const readers = await inTurn(emails.slice(0, READERS), async (email) => ({
    email,
    token: (await latchkey.signIn(email)).accessToken,
  }));
  return {
    url: `${latchkey.url}/auth/me`,
    pid: latchkey.pid,
    requests: () =>
      inTurn(readers, async ({ email, token }) => {
        await latchkey.assertSession(email, token);
        return { headers: { authorization: `Bearer ${token}` } };
      }),
  };
}

export async function betterAuthReaders(
  server: BetterAuth,
  emails: readonly string[],
): Promise<SessionReaders> {
  const readers = await inTurn(emails.slice(0, READERS), async (email) => ({
    email,
    cookies: await server.signIn(email),
  }));
  return {
    url: `${server.url}/api/auth/get-session`,
    pid: server.pid,
    requests: () =>
      inTurn(readers, async ({ email, cookies }) => ({
        headers: { ...server.headers, cookie: await server.freshCookies(email, cookies) },
      })),
  };
}

/** Unlike all at once, this does not count as an attack. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
