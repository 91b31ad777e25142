import type { BrowserContext, ConsoleMessage, Request } from 'playwright-core';
import type { Faults } from './faults.js';

declare global {
  interface Window {
    reportViolation: (violation: string) => Promise<void>;
  }
}

/** The error of Chromium for requests that the page cancelled by navigation or abort. */
const GIVEN_UP = 'net::ERR_ABORTED';

/** Records the faults of every page of a context. Requests may go to `origins` only. */
export async function watch(
  context: BrowserContext,
  origins: readonly string[],
  faults: Faults,
): Promise<void> {
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.add('console', lineOf(message));
  });
  context.on('weberror', (thrown) => {
    faults.add('uncaught', String(thrown.error()));
  });
  context.on('request', (request) => {
    if (isForeign(request, origins)) faults.add('foreign request', `${request.method()} ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason !== GIVEN_UP) faults.add('failed request', `${request.url()} ${reason}`);
  });
  await watchPolicy(context, faults);
}

/** Records policy violations by their event: the console truncates long lines and has no fixed wording. */
async function watchPolicy(context: BrowserContext, faults: Faults): Promise<void> {
  await context.exposeBinding('reportViolation', (_source, violation: string) => {
    faults.add('policy violation', violation);
  });
  await context.addInitScript(() => {
    window.addEventListener('securitypolicyviolation', (event) => {
      void window.reportViolation(`${event.effectiveDirective} ${event.blockedURI} in ${event.documentURI}`);
    });
  });
}

function lineOf(message: ConsoleMessage): string {
  return `${message.type()}: ${message.text()} (${message.location().url})`;
}

function isForeign(request: Request, origins: readonly string[]): boolean {
  const { protocol, origin } = new URL(request.url());
  return !['data:', 'about:', 'blob:'].includes(protocol) && !origins.includes(origin);
}
