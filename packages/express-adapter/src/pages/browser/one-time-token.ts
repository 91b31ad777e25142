import { tabStorage } from './tab-storage.js';

/**
 * The token of the link that was opened. It leaves the address bar, the history and every later `Referer` at once, and
 * stays in the tab, so that a reload or the way through the sign-in page does not lose it.
 */
export function takeToken(key: string): string | undefined {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given !== null) {
    tabStorage.setItem(key, given);
    history.replaceState(null, '', address.pathname);
  }
  return tabStorage.getItem(key) ?? undefined;
}

/** To be called when the token has done its work. */
export const forgetToken = (key: string): void => tabStorage.removeItem(key);
