import type { AuthEvents } from '../audit/auth-events.js';
import type { GeoipDatabase } from '../geoip/geoip-database.js';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Tracer } from '../kernel/tracer.js';
import { RelyingParty } from '../passkeys/relying-party.js';
import type { SecondFactorCheck } from '../sessions/sign-in-completer.js';
import type { Settings } from '../settings/settings.js';
import { DatabaseClock } from '../storage/database-clock.js';
import { buildTokens } from './build-tokens.js';
import type { AuthExtensions } from './extensions.js';
import type { Infrastructure } from './infrastructure.js';
import type { AccessOptions } from './open-entitlements.js';

export interface BuildOptions extends AccessOptions, AuthExtensions {
  logger: Logger;
  /** Defaults to true. */
  sendMail?: boolean | undefined;
  /** The system clock, except in tests. */
  clock: Clock;
  /** Undefined unless tracing is on. */
  tracer?: Tracer | undefined;
  /** Opened from the settings if it is not given. */
  geoip?: GeoipDatabase | undefined;
  /** Names of applied migrations that are newer than this program. Defaults to none. */
  newerMigrations?: readonly string[];
  /** Replaces the check of second factors, in tests. */
  secondFactorCheck?: SecondFactorCheck;
}

/** What the parts of a service are built from. */
export type GivenParts = Awaited<ReturnType<typeof givenParts>>;

/** Returns what is open, under the names by which parts take it. */
export async function givenParts(
  settings: Settings,
  {
    repositories,
    finance,
    hasher,
    breachList,
    mail,
    ...infrastructure
  }: Infrastructure & { events: AuthEvents },
  { entitlements, before = {}, claims, clock, logger, tracer, geoip, newerMigrations = [] }: BuildOptions,
) {
  const { observer } = infrastructure.metrics;
  const sharedClock = new DatabaseClock(repositories.database, clock);
  const relyingParty = settings.passkeys.enabled ? await loadRelyingParty(settings.passkeys) : undefined;
  return {
    ...repositories,
    ...infrastructure,
    ...(await buildTokens(settings, { clock, sharedClock, logger })),
    settings,
    financeDatabase: finance,
    passwords: hasher,
    breached: breachList,
    geoip,
    places: () => Promise.resolve(geoip),
    mail,
    outbox: mail.outbox,
    observer,
    relyingParty,
    entitlementsFunction: entitlements,
    before,
    claims,
    clock,
    sharedClock,
    logger,
    tracer,
    newerMigrations,
  };
}

/** @throws TypeError without a relying party id. */
async function loadRelyingParty(settings: Settings['passkeys']): Promise<RelyingParty> {
  const { relyingPartyId: id, relyingPartyName: name, origins } = settings;
  if (id === undefined) throw new TypeError('createAuth: passkeys need settings.passkeys.relyingPartyId');
  return RelyingParty.load({ id, name, origins });
}
