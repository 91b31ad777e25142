import type { AuthEvents } from '../audit/auth-events.js';
import { assemble } from '../kernel/assemble.js';
import type { Settings } from '../settings/settings.js';
import { authOf, measuredOf, type ServiceParts } from './auth-of.js';
import type { Auth } from './auth.js';
import { givenParts, type BuildOptions } from './given-parts.js';
import { closeAll, closeInOrder, type Infrastructure } from './infrastructure.js';
import { SERVICE_PARTS } from './service-parts.js';

/** Builds the services over open infrastructure. */
export async function buildAuth(
  settings: Settings,
  infrastructure: Infrastructure & { events: AuthEvents },
  options: BuildOptions,
): Promise<Auth> {
  const given = await givenParts(settings, infrastructure, options);
  const { secondFactorCheck } = options;
  const parts = secondFactorCheck
    ? assemble(given, { ...SERVICE_PARTS, secondFactorCheck: () => secondFactorCheck })
    : assemble(given, SERVICE_PARTS);
  given.metrics.watch(measuredOf(parts));
  parts.activityCounter.start();
  parts.webhookDispatcher?.start();
  parts.webhookSender?.start();
  parts.decoyRefresh.start();
  if (parts.notices.delivers) parts.heldBackNotices.start();
  if (parts.apiKeyMode !== 'off') parts.apiKeyExpiryNotices.start();
  if (parts.accountDeletion) parts.dueDeletions.start();
  return authOf(
    parts,
    once(() => closeParts(parts, infrastructure)),
  );
}

async function closeParts(parts: ServiceParts, infrastructure: Infrastructure): Promise<void> {
  const { logger, events } = parts;
  parts.revocationFeed.stop();
  await closeInOrder(stopsOf(parts), logger);
  // Listeners may still use the connections. Events from their last writes are delivered after the connections are closed.
  await events.settle();
  await closeAll(infrastructure, logger);
  await events.settle();
}

/** Returns what each part needs to stop, in their order. */
const stopsOf = (parts: ServiceParts): Record<string, () => unknown> => ({
  activityCounter: () => parts.activityCounter.stop(),
  webhookDispatcher: () => parts.webhookDispatcher?.stop(),
  webhookSender: () => parts.webhookSender?.stop(),
  decoyRefresh: () => parts.decoyRefresh.stop(),
  heldBackNotices: () => parts.heldBackNotices.stop(),
  apiKeyExpiryNotices: () => parts.apiKeyExpiryNotices.stop(),
  dueDeletions: () => parts.dueDeletions.stop(),
  refresh: () => parts.refresh.close(),
  uses: () => Promise.all([parts.uses.flush(), parts.apiKeyUses.flush()]),
  throttle: () => Promise.all([parts.throttle.close(), parts.refusals.close()]),
});

function once(work: () => Promise<void>): (() => Promise<void>) & { hasBegun: () => boolean } {
  let running: Promise<void> | undefined;
  return Object.assign(() => (running ??= work()), { hasBegun: () => running !== undefined });
}
