import { createClient, type ClientOptions } from '@latchkey/client';
import { actingSession, isActingTab } from './acting-tab.js';
import { pageData } from './page-data.js';
import { tabSession } from './tab-session.js';

const RESPONSE_TIMEOUT_MS = 15_000;

/** The client of this page. It reports limits at once, so that the page can say how long to wait. */
export const client = createClient({
  baseUrl: location.origin + pageData.base,
  tokens: tokensOf(),
  maxRetryWaitSeconds: 0,
  fetch: (request) =>
    fetch(request, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      // The cookies of this browser are those of the actor.
      ...(isActingTab && { credentials: 'omit' as const }),
    }),
});

function tokensOf(): ClientOptions['tokens'] {
  if (isActingTab) return actingSession;
  return pageData.cookieMode ? 'cookies' : tabSession;
}
