import { InternalKey } from '../admin/internal-key.js';
import { SessionAdministration } from '../admin/session-administration.js';
import { UserAdministration } from '../admin/user-administration.js';
import { UserDirectory } from '../admin/user-directory.js';
import { AuditRepository } from '../audit/audit-repository.js';
import { HealthService } from '../health/health-service.js';
import type { Logger } from '../kernel/logger.js';
import { LoginService } from '../login/login-service.js';
import { PasswordService } from '../login/password-service.js';
import { RegistrationService } from '../login/registration-service.js';
import { MembershipRepository } from '../memberships/membership-repository.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import { AccountThrottle } from '../rate-limits/account-throttle.js';
import { LoginRateLimiter } from '../rate-limits/login-rate-limiter.js';
import { SessionService } from '../sessions/session-service.js';
import type { Settings } from '../settings/settings.js';
import { ProfileService } from '../users/profile-service.js';
import { UserRepository } from '../users/user-repository.js';
import type { Auth } from './auth.js';
import { buildSessions } from './build-sessions.js';
import { buildTokens } from './build-tokens.js';
import { closeAll, type Infrastructure } from './infrastructure.js';

/** Puts the services together over what is open. Each part gets exactly what it needs. */
export async function buildAuth(settings: Settings, parts: Infrastructure, logger: Logger): Promise<Auth> {
  const { database, store, hasher: passwords, outbox } = parts;
  const { failMode, loginPerMinute } = settings.rateLimits;
  const users = new UserRepository(database);
  const audit = new AuditRepository(database);
  const policy = new PasswordPolicy(settings.passwords);
  const throttle = new AccountThrottle({ store, failMode });
  const tokens = await buildTokens(settings);
  const sessions = buildSessions(settings, { database, store, users, audit, tokens, logger });
  const { ender, opener } = sessions;
  const shared = { database, users, passwords, policy, outbox, audit, throttle, ender, opener };

  return {
    settings,
    logger,
    keys: tokens.keys,
    health: new HealthService({ ...parts, requireRedis: settings.health.requireRedis }),
    authenticator: sessions.authenticator,
    internalKey: new InternalKey(settings.machine.internalApiKeys),
    loginRateLimiter: new LoginRateLimiter({ store, limit: loginPerMinute, failMode }),
    audit,
    login: new LoginService(shared),
    registration: new RegistrationService(shared, settings.registration),
    refresh: sessions.refresh,
    sessions: new SessionService({ ...sessions, database, audit, refreshTokens: tokens.refreshTokens }),
    passwords: new PasswordService(shared),
    profile: new ProfileService(database, users, audit),
    users: new UserDirectory(users, new MembershipRepository(database)),
    userAdministration: new UserAdministration(shared),
    sessionAdministration: new SessionAdministration({ ...sessions, database, users, audit }),
    facts: {
      passwordEngine: passwords.engine,
      storeKind: store.kind,
      mailTransport: parts.mail.transport,
      signingKeyId: tokens.keys.signingKeyId,
    },
    close: once(async () => {
      await sessions.uses.flush();
      await closeAll(parts);
    }),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
