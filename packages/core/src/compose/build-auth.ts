import { InternalKey } from '../admin/internal-key.js';
import { SessionMinting } from '../admin/session-minting.js';
import { HandoffRepository } from '../handoff/handoff-repository.js';
import { HandoffService } from '../handoff/handoff-service.js';
import { HealthService } from '../health/health-service.js';
import type { Logger } from '../kernel/logger.js';
import { LoginService } from '../login/login-service.js';
import { PasswordService } from '../login/password-service.js';
import { RegistrationService } from '../login/registration-service.js';
import { InboxMailer } from '../mail/mailer.inbox.js';
import { Ceremonies } from '../passkeys/ceremonies.js';
import { PasskeyMetrics } from '../passkeys/passkey-metrics.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import { AccountThrottle } from '../rate-limits/account-throttle.js';
import { LoginRateLimiter } from '../rate-limits/login-rate-limiter.js';
import { ServiceTokenService } from '../service-tokens/service-token-service.js';
import { SessionService } from '../sessions/session-service.js';
import type { Settings } from '../settings/settings.js';
import { ProfileService } from '../users/profile-service.js';
import type { Auth } from './auth.js';
import { buildAccess, type AccessOptions } from './build-access.js';
import { buildAdministration } from './build-administration.js';
import { buildCompanies } from './build-companies.js';
import { buildMailedLinks } from './build-mailed-links.js';
import { buildOperations } from './build-operations.js';
import { buildPasskeys } from './build-passkeys.js';
import { buildRecords } from './build-records.js';
import { buildSessions } from './build-sessions.js';
import { buildTokens } from './build-tokens.js';
import { closeAll, type Infrastructure } from './infrastructure.js';

/** Puts the services together over what is open. Each part gets exactly what it needs. */
export async function buildAuth(
  settings: Settings,
  parts: Infrastructure,
  { logger, entitlements }: { logger: Logger } & AccessOptions,
): Promise<Auth> {
  const { store, hasher: passwords, outbox } = parts;
  const { failMode, loginPerMinute } = settings.rateLimits;
  const records = buildRecords(settings, { ...parts, logger });
  const policy = new PasswordPolicy({ ...settings.passwords, brandName: settings.brand.name });
  const throttle = new AccountThrottle({ store, failMode });
  const tokens = await buildTokens(settings);
  const sessions = buildSessions(settings, { records, store, tokens, logger });
  const { opener } = sessions;
  const shared = { ...records, passwords, policy, outbox, throttle, opener };
  const ownPasswords = new PasswordService(shared);
  const ceremonies = new Ceremonies(store, tokens.ceremonies);
  const forPasskeys = { records, ceremonies, passwords: ownPasswords, opener, outbox };

  return {
    ...buildAdministration(records, { passwords, policy, outbox }),
    ...buildOperations(settings, records, outbox),
    ...buildCompanies(settings, records, parts.finance),
    ...buildMailedLinks(settings, shared, parts.mail.composer),
    settings,
    logger,
    keys: tokens.keys,
    health: new HealthService({ ...parts, requireRedis: settings.health.requireRedis }),
    authenticator: sessions.authenticator,
    internalKey: new InternalKey(settings.machine.internalApiKeys),
    loginRateLimiter: new LoginRateLimiter({ store, limit: loginPerMinute, failMode }),
    login: new LoginService(shared),
    registration: new RegistrationService(shared, settings.registration),
    refresh: sessions.refresh,
    sessions: new SessionService({ ...records, refreshTokens: tokens.refreshTokens }),
    passwords: ownPasswords,
    passkeys: await buildPasskeys(settings.passkeys, forPasskeys),
    passkeyMetrics: new PasskeyMetrics(),
    access: buildAccess(settings, { records, logger, entitlements }),
    profile: new ProfileService(records.database, records.users, records.audit),
    sessionMinting: new SessionMinting({ ...records, opener }),
    handoff: new HandoffService(
      {
        ...records,
        store,
        opener,
        sealer: tokens.handoffs,
        handoffs: new HandoffRepository(),
      },
      { ttl: settings.oneTimeSecrets.handoffTtl },
    ),
    serviceTokens: new ServiceTokenService(
      { tokens: tokens.serviceTokens, audit: records.audit },
      { clients: settings.machine.serviceClients, ownAudience: settings.tokens.audience },
    ),
    inbox: parts.mail.mailer instanceof InboxMailer ? parts.mail.mailer : undefined,
    facts: {
      passwordEngine: passwords.engine,
      storeKind: store.kind,
      mailTransport: parts.mail.transport,
      signingKeyId: tokens.keys.signingKeyId,
    },
    close: once(async () => {
      sessions.refresh.close();
      await Promise.all([sessions.uses.flush(), throttle.close()]);
      await closeAll(parts);
    }),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
