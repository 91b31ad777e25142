import { made, type PartsOf } from '../kernel/assemble.js';
import type { SharedClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import { HeldBackNotices } from '../sign-in-devices/held-back-notices.js';
import type { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import { SignInDevices } from '../sign-in-devices/sign-in-devices.js';
import type { AccessTokens } from '../tokens/access-token.js';
import type { RefreshTokens } from '../tokens/refresh-token.js';
import { ActingSessionCreator } from './acting-session-creator.js';
import { Authenticator } from './authenticator.js';
import type { ClaimsFunction } from './claims-function.js';
import { CredentialStepUp } from './credential-step-up.js';
import type { Given } from './end-parts.js';
import { FirstFactor } from './first-factor.js';
import { LastUsedRecorder } from './last-used-recorder.js';
import type { Lifetimes } from './lifetimes.js';
import { ProfileService } from './profile-service.js';
import { RefreshService } from './refresh-service.js';
import { SessionCache } from './session-cache.js';
import { SessionCreator } from './session-creator.js';
import type { SessionRepository } from './session-repository.js';
import { SessionService } from './session-service.js';
import { SignInCompleter } from './sign-in-completer.js';
import { TokenIssuer } from './token-issuer.js';

export interface IssuingParts {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  /** Claims that the host app adds to access tokens. */
  readonly claims: ClaimsFunction | undefined;
  readonly staffNeedsSecondFactor: boolean;
}

export interface CachingParts extends Given {
  readonly hintKey: Buffer;
  /** Dates session hints. */
  readonly sharedClock: SharedClock;
}

export interface DeviceParts extends Given {
  readonly signInDevices: SignInDeviceRepository;
  readonly devices: SignInDevices;
}

/** What creates, verifies and rotates sessions. */
export const sessionParts = {
  lifetimes: ({ settings: { sessions } }: Given) => ({
    idle: sessions.refreshTokenTtl,
    absolute: sessions.maxLifetime,
  }),
  issuer: (parts: IssuingParts) => new TokenIssuer(parts.accessTokens, parts.refreshTokens, parts),
  cache: ({ settings, store, hintKey: key, sharedClock: clock }: CachingParts) =>
    new SessionCache(store, { ttl: settings.sessions.cacheTtl, key, clock }),
  uses: ({ sessions, logger }: { readonly sessions: SessionRepository; readonly logger: Logger }) =>
    new LastUsedRecorder(sessions, logger),
  devices: ({ notices }: { readonly notices: SecurityNotices }) => new SignInDevices(notices),
  heldBackNotices: ({ signInDevices, devices, logger }: DeviceParts) =>
    new HeldBackNotices(signInDevices, devices, logger),
  authenticator: made(Authenticator),
  sessionCreator: made(SessionCreator),
  actingSessionCreator: made(ActingSessionCreator),
  signInCompleter: made(SignInCompleter),
  credentialStepUp: made(CredentialStepUp),
  firstFactor: made(FirstFactor),
  refresh: (parts: Given & PartsOf<typeof RefreshService> & { readonly lifetimes: Lifetimes }) => {
    const { coalesceMs, reuseGrace } = parts.settings.sessions;
    return new RefreshService(parts, { lifetimes: parts.lifetimes, coalesceMs, reuseGrace });
  },
  sessionService: made(SessionService),
  profile: made(ProfileService),
};
