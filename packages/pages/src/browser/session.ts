import type { ResponseData } from '@latchkey/client';
import { client } from './client.js';
import { languageQuery } from './keep-language.js';
import { pageData } from './page-data.js';

export type Me = ResponseData<'GET', '/auth/me'>;

/** Reports whether there may be a session; the service decides. */
export const mayHaveSession = (): boolean => client.session.state.status !== 'signed_out';

/** Returns the signed-in user, or undefined. */
export const fetchMe = async (): Promise<Me | undefined> =>
  mayHaveSession() ? (await client.me()).data : undefined;

/** Reports whether a user may open the console. */
export const mayOpenConsole = ({ globalRole }: Me): boolean => pageData.hasConsole && globalRole !== 'NONE';

/** Returns the address to which a sign-in without a target leads: the account; for staff, the page that offers the console, too. */
export async function homeAddress(): Promise<string> {
  const me = pageData.hasConsole ? await fetchMe() : undefined;
  return `${pageData.base}/${me && mayOpenConsole(me) ? 'login' : 'account'}${languageQuery()}`;
}

/**
 * Navigates to another address. Only cookies can carry a session to another host; a session of this tab would remain unused,
 * so it is ended first.
 */
export async function navigateTo(address: string): Promise<never> {
  const isElsewhere = new URL(address, location.href).origin !== location.origin;
  if (isElsewhere && !pageData.cookieMode && mayHaveSession()) await client.signOut();
  location.assign(address);
  return untilPageIsLeft();
}

/** Never resolves, so that the page stays busy until it is left. Reloads a page that the browser restores. */
export const untilPageIsLeft = (): Promise<never> =>
  new Promise(() => {
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload();
    });
  });
