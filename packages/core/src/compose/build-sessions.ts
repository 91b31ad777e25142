import type { Clock, SharedClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import { Authenticator } from '../sessions/authenticator.js';
import type { ClaimsFunction } from '../sessions/claims-function.js';
import { LastUsedRecorder } from '../sessions/last-used-recorder.js';
import { RefreshService } from '../sessions/refresh-service.js';
import { SessionCache } from '../sessions/session-cache.js';
import { SessionCreator } from '../sessions/session-creator.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import { SignInCompleter, type SecondFactorCheck } from '../sessions/sign-in-completer.js';
import { TokenIssuer } from '../sessions/token-issuer.js';
import type { Settings } from '../settings/settings.js';
import { HeldBackNotices } from '../sign-in-devices/held-back-notices.js';
import { SignInDevices } from '../sign-in-devices/sign-in-devices.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { Tokens } from './build-tokens.js';
import type { Repositories } from './repositories.js';

interface SessionsDeps {
  readonly repositories: Repositories;
  readonly signInPolicy: SignInPolicy;
  readonly sessionRevoker: SessionRevoker;
  readonly store: EphemeralStore;
  readonly tokens: Tokens;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Dates session hints. */
  readonly sharedClock: SharedClock;
  readonly observer: Observer;
  /** Claims that the host app adds to access tokens. */
  readonly claims: ClaimsFunction | undefined;
  readonly secondFactorCheck: SecondFactorCheck;
  readonly staffNeedsSecondFactor: boolean;
  readonly notices: SecurityNotices;
}

/** Builds the services that create, verify and rotate sessions. */
export function buildSessions(settings: Settings, deps: SessionsDeps) {
  const { repositories, sessionRevoker, store, tokens, logger, clock, sharedClock, observer } = deps;
  const { accessTokens, refreshTokens, hintKey } = tokens;
  const {
    refreshTokenTtl: idle,
    maxLifetime: absolute,
    cacheTtl,
    reuseGrace,
    coalesceMs,
  } = settings.sessions;
  const lifetimes = { idle, absolute };
  const cache = new SessionCache(store, { ttl: cacheTtl, key: hintKey, clock: sharedClock });
  const uses = new LastUsedRecorder(repositories.sessions, logger);
  const issuer = new TokenIssuer(accessTokens, refreshTokens, deps);
  const shared = { ...repositories, sessionRevoker, issuer, refreshTokens };
  const devices = new SignInDevices(deps.notices);
  const sessionCreator = new SessionCreator({
    ...shared,
    signInPolicy: deps.signInPolicy,
    lifetimes,
    devices,
    clock,
  });
  return {
    heldBackNotices: new HeldBackNotices(repositories.signInDevices, devices, logger),
    uses,
    issuer,
    authenticator: new Authenticator({
      ...repositories,
      accessTokens,
      cache,
      uses,
      clock,
      staffNeedsSecondFactor: deps.staffNeedsSecondFactor,
    }),
    sessionCreator,
    signInCompleter: new SignInCompleter({ sessionCreator, secondFactorCheck: deps.secondFactorCheck }),
    refresh: new RefreshService({ ...shared, observer }, { lifetimes, coalesceMs, reuseGrace }),
  };
}
