import { languageQuery } from './keep-language.js';
import { tabStorage } from './tab-storage.js';

/**
 * Returns the token of the opened link. Removes it from the address bar, the history and every later `Referer`, and keeps
 * it in the tab, so that it survives a reload and the sign-in page.
 */
export function takeToken(key: string): string | undefined {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given !== null) {
    tabStorage.setItem(key, given);
    history.replaceState(null, '', address.pathname + languageQuery());
  }
  return tabStorage.getItem(key) ?? undefined;
}

/** Removes the token once it has been used. */
export const forgetToken = (key: string): void => tabStorage.removeItem(key);
