import type { AuthEvents } from '../audit/auth-events.js';
import { assemble } from '../kernel/assemble.js';
import type { Settings } from '../settings/settings.js';
import { authOf, measuredOf, type ServiceParts } from './auth-of.js';
import type { Auth } from './auth.js';
import { givenParts, type BuildOptions } from './given-parts.js';
import { closeAll, type Infrastructure } from './infrastructure.js';
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
  return authOf(
    parts,
    once(() => closeParts(parts, infrastructure)),
  );
}

async function closeParts(parts: ServiceParts, infrastructure: Infrastructure): Promise<void> {
  parts.revocationFeed.stop();
  await parts.activityCounter.stop();
  await parts.webhookDispatcher?.stop();
  await parts.webhookSender?.stop();
  await parts.decoyRefresh.stop();
  await parts.heldBackNotices.stop();
  await parts.apiKeyExpiryNotices.stop();
  parts.refresh.close();
  await Promise.all([
    parts.uses.flush(),
    parts.apiKeyUses.flush(),
    parts.throttle.close(),
    parts.refusals.close(),
  ]);
  // Listeners may still use the connections. Events from their last writes are delivered after the connections are closed.
  await parts.events.settle();
  await closeAll(infrastructure);
  await parts.events.settle();
}

function once(work: () => Promise<void>): (() => Promise<void>) & { hasBegun: () => boolean } {
  let running: Promise<void> | undefined;
  return Object.assign(() => (running ??= work()), { hasBegun: () => running !== undefined });
}
