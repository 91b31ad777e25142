import { createClient } from '@latchkey/client';
import { pageData } from './page-data.js';
import { tabSession } from './tab-session.js';

const RESPONSE_TIMEOUT_MS = 15_000;

/** The client of this page. It reports limits at once, so that the page can say how long to wait. */
export const client = createClient({
  baseUrl: location.origin + pageData.base,
  tokens: pageData.cookieMode ? 'cookies' : tabSession,
  maxRetryWaitSeconds: 0,
  fetch: (request) => fetch(request, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) }),
});
