import { InternalKeyDenial } from '../admin/internal-key-denial.js';
import { InternalKey } from '../admin/internal-key.js';
import { SessionMinting } from '../admin/session-minting.js';
import { AuthEvents } from '../audit/auth-events.js';
import { EmailVerificationRepository } from '../email-verification/email-verification-repository.js';
import { HandoffRepository } from '../handoff/handoff-repository.js';
import { HandoffService } from '../handoff/handoff-service.js';
import { HealthService } from '../health/health-service.js';
import { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { accentColours } from '../kernel/accent-colours.js';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { ConfirmationService } from '../login/confirmation-service.js';
import { DecoyRefresh } from '../login/decoy-refresh.js';
import { LoginService } from '../login/login-service.js';
import { PasswordService } from '../login/password-service.js';
import { RegistrationService } from '../login/registration-service.js';
import { InboxMailer } from '../mail/mailer.inbox.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { Ceremonies } from '../passkeys/ceremonies.js';
import { PasskeyMetrics } from '../passkeys/passkey-metrics.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import { HashingCapacity } from '../rate-limits/hashing-capacity.js';
import { ServiceTokenService } from '../service-tokens/service-token-service.js';
import { ConfirmationRepository } from '../sessions/confirmation-repository.js';
import { SessionService } from '../sessions/session-service.js';
import type { Settings } from '../settings/settings.js';
import { DatabaseClock } from '../storage/database-clock.js';
import { PasswordHashRepository } from '../users/password-hash-repository.js';
import { ProfileService } from '../users/profile-service.js';
import type { Auth } from './auth.js';
import { buildAccess, kindOfEntitlements, type AccessOptions } from './build-access.js';
import { buildAdministration } from './build-administration.js';
import { buildApprovalNotices } from './build-approval-notices.js';
import { buildCompanies } from './build-companies.js';
import { buildInvitations } from './build-invitations.js';
import { buildMailedLinks } from './build-mailed-links.js';
import { buildOperations } from './build-operations.js';
import { buildPasskeys } from './build-passkeys.js';
import { buildPasswordSetter } from './build-password-setter.js';
import { buildRateLimits } from './build-rate-limits.js';
import { buildRecords } from './build-records.js';
import { buildSessions } from './build-sessions.js';
import { buildTokens } from './build-tokens.js';
import type { AuthExtensions } from './extensions.js';
import { closeAll, type Infrastructure } from './infrastructure.js';

export interface BuildOptions extends AccessOptions, AuthExtensions {
  logger: Logger;
  /** True unless told otherwise. */
  sendMail?: boolean | undefined;
  /** Tests move their own. */
  clock: Clock;
}

/** Puts the services together over what is open. Each part gets exactly what it needs. */
export async function buildAuth(
  settings: Settings,
  parts: Infrastructure,
  { logger, entitlements, claims, before = {}, clock }: BuildOptions,
): Promise<Auth> {
  const { store, hasher: passwords, decoys, outbox, metrics } = parts;
  const { observer } = metrics;
  const events = new AuthEvents(logger);
  const records = buildRecords(settings, { ...parts, logger, events });
  const beforeHooks = new BeforeHookRunner(before, records.audit);
  const policy = new PasswordPolicy({
    ...settings.passwords,
    brandName: settings.brand.name,
    logger: settings.environment === 'development' ? logger : undefined,
  });
  const limits = buildRateLimits(settings.rateLimits, { store, clock, observer });
  const clocks = { clock, sharedClock: new DatabaseClock(records.database, clock) };
  const tokens = await buildTokens(settings, { ...clocks, logger });
  const sessions = buildSessions(settings, { records, store, tokens, logger, ...clocks, observer, claims });
  const { sessionCreator } = sessions;
  const setter = buildPasswordSetter(records, outbox);
  const invitations = buildInvitations(settings, records, outbox);
  const { openInvitations } = invitations;
  const shared = {
    ...records,
    ...limits,
    passwords,
    policy,
    outbox,
    setter,
    sessionCreator,
    beforeHooks,
    observer,
  };
  const confirmations = new ConfirmationService({
    ...shared,
    confirmations: new ConfirmationRepository(records.database, records.audit),
  });
  const ownPasswords = new PasswordService({ ...shared, confirmations });
  const internalKey = new InternalKey(settings.machine.internalApiKeys?.reveal() ?? []);
  const ceremonies = new Ceremonies(store, tokens.ceremonies);
  const forPasskeys = {
    records,
    ceremonies,
    passwords: ownPasswords,
    sessionCreator,
    outbox,
    beforeHooks,
    observer,
  };
  const notices = buildApprovalNotices(settings, records, parts);
  const verifications = new EmailVerificationRepository(records.database);
  const access = buildAccess(settings, { records, logger, entitlements, observer });
  const health = new HealthService({ ...parts, requireRedis: settings.health.requireRedis });
  metrics.watch({ ...parts, access, health, outbox: new OutboxRepository(records.database) });
  const decoyRefresh = new DecoyRefresh(decoys, new PasswordHashRepository(records.database), logger);
  await decoyRefresh.start();
  const closing = once(async () => {
    await decoyRefresh.stop();
    sessions.refresh.close();
    await Promise.all([sessions.uses.flush(), limits.close()]);
    // Listeners may still use the connections; what they and the last requests wrote is told of when these are closed.
    await events.settle();
    await closeAll(parts);
    await events.settle();
  });

  return {
    ...buildAdministration(records, { passwords, policy, outbox, setter, openInvitations }),
    ...buildOperations(settings, records, outbox),
    ...buildCompanies(settings, records, { finance: parts.finance, openInvitations }),
    ...buildMailedLinks(settings, { ...shared, ...invitations, verifications }, parts.mail.composer),
    settings,
    logger,
    on: (event, listener) => events.on(event, listener),
    keys: tokens.keys,
    health,
    authenticator: sessions.authenticator,
    internalKey,
    internalKeyDenial: new InternalKeyDenial({ ...shared, internalKey, logger }),
    hashingCapacity: new HashingCapacity(passwords),
    loginRateLimiter: limits.signIns,
    anonymousRateLimiter: limits.anonymousWrites,
    login: new LoginService(shared),
    registration: new RegistrationService({ ...shared, notices, verifications }, settings.registration),
    refresh: sessions.refresh,
    sessions: new SessionService({ ...records, refreshTokens: tokens.refreshTokens }),
    passwords: ownPasswords,
    passwordPolicy: policy,
    passkeys: await buildPasskeys(settings.passkeys, {
      ...forPasskeys,
      authenticator: sessions.authenticator,
    }),
    passkeyMetrics: new PasskeyMetrics(),
    access,
    profile: new ProfileService(records.database, records.users, records.audit),
    sessionMinting: new SessionMinting({ ...records, sessionCreator }),
    handoff: new HandoffService({
      ...shared,
      store,
      signer: tokens.handoffs,
      handoffs: new HandoffRepository(),
      ttl: settings.oneTimeSecrets.handoffTtl,
    }),
    serviceTokens: new ServiceTokenService({
      ...shared,
      tokens: tokens.serviceTokens,
      clients: settings.machine.serviceClients?.reveal() ?? [],
      ownAudience: settings.tokens.audience,
    }),
    metrics,
    brandColours: accentColours(settings.brand.accent),
    inbox: parts.mail.mailer instanceof InboxMailer ? parts.mail.mailer : undefined,
    facts: {
      passwordEngine: passwords.engine,
      storeKind: store.kind,
      mailTransport: parts.mail.transport,
      entitlements: kindOfEntitlements(settings.coreService, entitlements),
      signingKeyId: tokens.keys.signingKeyId,
    },
    get isClosed() {
      return closing.hasBegun();
    },
    close: closing,
  };
}

function once(work: () => Promise<void>): (() => Promise<void>) & { hasBegun: () => boolean } {
  let running: Promise<void> | undefined;
  return Object.assign(() => (running ??= work()), { hasBegun: () => running !== undefined });
}
