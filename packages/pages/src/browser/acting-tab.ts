import { pageData } from './page-data.js';
import { storedInTab } from './tab-session.js';

/** The session in which this tab acts for a user. It is in this tab alone, in cookie mode, too: the cookies are the actor's own. */
export const actingSession = storedInTab('latchkey.acting');

/** The code by which the console has opened this tab; undefined in any other. It leaves the address bar and the history at once. */
export const actingCode = takeCode();

/** True if this tab acts for a user, or is about to. */
export const isActingTab =
  pageData.isForActing && (actingCode !== undefined || actingSession.read() !== undefined);

function takeCode(): string | undefined {
  if (!pageData.isForActing) return undefined;
  const code = new URLSearchParams(location.hash.slice(1)).get('acting');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}
