import type { RequestVariant } from '../support/load.js';

/** Returns an address for each user, so that limits for one client do not apply to all of them together. */
export const clientAddress = (index: number): string =>
  `10.20.${Math.floor(index / 250)}.${(index % 250) + 1}`;

/** Returns a sign-in for each user, each from an address of its own. */
export function signInRequests(
  emails: readonly string[],
  password: string,
  headers: Record<string, string> = {},
): RequestVariant[] {
  return emails.map((email, index) => ({
    headers: { ...headers, 'x-forwarded-for': clientAddress(index) },
    body: JSON.stringify({ email, password }),
  }));
}
