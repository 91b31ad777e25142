import { InternalKeyDenial } from '../admin/internal-key-denial.js';
import { InternalKey } from '../admin/internal-key.js';
import { SessionMinting } from '../admin/session-minting.js';
import { AppSignInService } from '../app-sign-in/app-sign-in-service.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuthEvents } from '../audit/auth-events.js';
import { PersonalDataExport } from '../erasure/personal-data-export.js';
import { FactorRemoval } from '../factors/factor-removal.js';
import { HandoffService } from '../handoff/handoff-service.js';
import { HealthService } from '../health/health-service.js';
import { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { accentColours } from '../kernel/accent-colours.js';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Tracer } from '../kernel/tracer.js';
import { ApprovalNotices } from '../login/approval-notices.js';
import { ConfirmationService } from '../login/confirmation-service.js';
import { CurrentPassword } from '../login/current-password.js';
import { DecoyRefresh } from '../login/decoy-refresh.js';
import { LoginService } from '../login/login-service.js';
import { PasswordService } from '../login/password-service.js';
import { PasswordSetter } from '../login/password-setter.js';
import { RegistrationService } from '../login/registration-service.js';
import { InboxMailer } from '../mail/mailer.inbox.js';
import { SecurityNotices } from '../mail/security-notices.js';
import { HealthReporter } from '../metrics/health-reporter.js';
import { Ceremonies } from '../passkeys/ceremonies.js';
import { PasskeyMetrics } from '../passkeys/passkey-metrics.js';
import { AccountTraces } from '../rate-limits/account-traces.js';
import { HashingCapacity } from '../rate-limits/hashing-capacity.js';
import { ServiceTokenService } from '../service-tokens/service-token-service.js';
import { CredentialStepUp } from '../sessions/credential-step-up.js';
import { FirstFactor } from '../sessions/first-factor.js';
import { ProfileService } from '../sessions/profile-service.js';
import { SessionService } from '../sessions/session-service.js';
import { noSecondFactor, type SecondFactorCheck } from '../sessions/sign-in-completer.js';
import type { Settings } from '../settings/settings.js';
import { DatabaseClock } from '../storage/database-clock.js';
import { SignInPolicy } from '../users/sign-in-policy.js';
import type { Auth, AuthFacts } from './auth.js';
import { buildAccess, kindOfEntitlements, openEntitlements, type AccessOptions } from './build-access.js';
import { buildAdmin } from './build-admin.js';
import { buildCompanies } from './build-companies.js';
import { buildFactorBasis, buildFactors, requiresStaffFactor } from './build-factors.js';
import { buildInvitations } from './build-invitations.js';
import { buildMailedLinks } from './build-mailed-links.js';
import { buildPasskeys } from './build-passkeys.js';
import { buildPasswordPolicy } from './build-password-policy.js';
import { buildRateLimits } from './build-rate-limits.js';
import { buildRevocationFeed } from './build-revocation-feed.js';
import { buildSessionRevocation } from './build-session-revocation.js';
import { buildSessions } from './build-sessions.js';
import { buildStepUp } from './build-step-up.js';
import { buildTokens } from './build-tokens.js';
import type { AuthExtensions } from './extensions.js';
import { healthFactsOf } from './health-facts.js';
import { closeAll, type Infrastructure } from './infrastructure.js';
import type { Repositories } from './repositories.js';

export interface BuildOptions extends AccessOptions, AuthExtensions {
  logger: Logger;
  /** Defaults to true. */
  sendMail?: boolean | undefined;
  /** The system clock, except in tests. */
  clock: Clock;
  /** Undefined unless tracing is on. */
  tracer?: Tracer | undefined;
  /** Names of applied migrations that are newer than this program. Defaults to none. */
  newerMigrations?: readonly string[];
  /** Replaces the check of second factors, in tests. */
  secondFactorCheck?: SecondFactorCheck;
}

/** Builds the services over open infrastructure. */
export async function buildAuth(
  settings: Settings,
  infrastructure: Infrastructure & { events: AuthEvents },
  {
    logger,
    entitlements,
    claims,
    before = {},
    clock,
    tracer,
    secondFactorCheck,
    newerMigrations = [],
  }: BuildOptions,
): Promise<Auth> {
  const {
    repositories,
    events,
    store,
    hasher: passwords,
    breachList,
    decoys,
    mail,
    metrics,
  } = infrastructure;
  const { outbox } = mail;
  const { observer } = metrics;
  const notices = new SecurityNotices(outbox, settings.securityNotices);
  const sessionRevoker = buildSessionRevocation(settings, { repositories, store, logger });
  const revocations = buildRevocationFeed({ repositories, store, clock, logger });
  const beforeHooks = new BeforeHookRunner(before, repositories.audit);
  const policy = buildPasswordPolicy(settings, { breached: breachList, logger });
  const limits = buildRateLimits(settings.rateLimits, { store, clock, observer });
  const clocks = { clock, sharedClock: new DatabaseClock(repositories.database, clock) };
  const tokens = await buildTokens(settings, { ...clocks, logger });
  const signInPolicy = new SignInPolicy(settings.registration.emailVerification);
  const factorBasis = buildFactorBasis(settings, { ...repositories, notices });
  const { hasFactor, parts: factorParts } = factorBasis;
  const sessions = buildSessions(settings, {
    repositories,
    signInPolicy,
    sessionRevoker,
    store,
    tokens,
    logger,
    ...clocks,
    observer,
    claims,
    secondFactorCheck: secondFactorCheck ?? factorParts?.requirement.check ?? noSecondFactor,
    staffNeedsSecondFactor: requiresStaffFactor(settings),
    notices,
  });
  const { sessionCreator, signInCompleter } = sessions;
  const factorRemoval = new FactorRemoval({ ...repositories, outbox, notices });
  const setter = new PasswordSetter({ ...repositories, outbox, sessionRevoker, factorRemoval });
  const invitations = buildInvitations(settings, repositories, outbox);
  const { openInvitations } = invitations;
  const credentialStepUp = new CredentialStepUp({ ...repositories, hasFactor, clock });
  const firstFactor = new FirstFactor({ ...repositories, hasFactor, sessionRevoker });
  const shared = {
    ...repositories,
    ...limits,
    credentialStepUp,
    firstFactor,
    ...factorBasis,
    passwords,
    policy,
    outbox,
    notices,
    sessionRevoker,
    setter,
    factorRemoval,
    signInPolicy,
    sessionCreator,
    signInCompleter,
    beforeHooks,
    observer,
  };
  const confirmations = new ConfirmationService(shared);
  const currentPassword = new CurrentPassword(shared);
  const ownPasswords = new PasswordService({ ...shared, confirmations, currentPassword });
  const internalKey = new InternalKey(settings.machine.internalApiKeys?.reveal() ?? []);
  const ceremonies = new Ceremonies(store, tokens.ceremonies);
  const { passkeys, passkeyStepUp } = await buildPasskeys(settings.passkeys, {
    ...shared,
    ...clocks,
    repositories,
    signInPolicy,
    ceremonies,
    passwords: ownPasswords,
  });
  const approverNotices = new ApprovalNotices({ ...shared, recipients: settings.registration.noticeTo });
  const access = buildAccess(settings, { repositories, logger, entitlements, observer, tracer });
  const health = new HealthService({ ...infrastructure, requireRedis: settings.health.requireRedis });
  const measured = { ...infrastructure, access, health, outbox: repositories.mails, revocations };
  metrics.watch(measured);
  const facts: AuthFacts = {
    passwordEngine: passwords.engine,
    hashingThreads: passwords.threadCount,
    breachList: breachList && { entries: breachList.header.entries, builtAt: breachList.header.builtAt },
    storeKind: store.kind,
    mailTransport: mail.transport,
    entitlements: kindOfEntitlements(settings.coreService, entitlements),
    signingKeyId: tokens.keys.signingKeyId,
    secondFactor: factorParts?.mode ?? 'off',
    newerMigrations,
  };
  const decoyRefresh = new DecoyRefresh(decoys, repositories.hashes, logger);
  decoyRefresh.start();
  if (notices.delivers) sessions.heldBackNotices.start();
  const closing = once(async () => {
    revocations.stop();
    await decoyRefresh.stop();
    await sessions.heldBackNotices.stop();
    sessions.refresh.close();
    await Promise.all([sessions.uses.flush(), limits.close()]);
    // Listeners may still use the connections. Events from their last writes are delivered after the connections are closed.
    await events.settle();
    await closeAll(infrastructure);
    await events.settle();
  });

  return {
    admin: buildAdmin(settings, repositories, {
      signInPolicy,
      passwords,
      policy,
      outbox,
      notices,
      sessionRevoker,
      accountTraces: new AccountTraces(store, logger),
      setter,
      invitations,
      access,
      entitlements: openEntitlements(settings.coreService, { entitlements, observer, tracer }),
      clock,
    }),
    audit: auditOf(repositories),
    ...buildCompanies(settings, { repositories, finance: infrastructure.finance, openInvitations }),
    ...buildMailedLinks(settings, {
      ...shared,
      ...invitations,
      access,
      approverNotices,
    }),
    settings,
    logger,
    tracer,
    on: (event, listener) => events.on(event, listener),
    keys: tokens.keys,
    deviceIds: notices.delivers ? tokens.deviceIds : undefined,
    health,
    healthReport: new HealthReporter({ ...measured, facts: healthFactsOf(settings, facts) }),
    authenticator: sessions.authenticator,
    internalKey,
    internalKeyDenial: new InternalKeyDenial({ ...shared, internalKey, logger }),
    hashingCapacity: new HashingCapacity(passwords),
    loginRateLimiter: limits.signIns,
    anonymousRateLimiter: limits.anonymousWrites,
    login: new LoginService(shared),
    signIn: new AppSignInService(shared),
    registration: new RegistrationService({ ...shared, approverNotices }, settings.registration),
    refresh: sessions.refresh,
    sessions: new SessionService({ ...shared, refreshTokens: tokens.refreshTokens }),
    passwords: ownPasswords,
    passwordPolicy: policy,
    passkeys,
    stepUp: buildStepUp({
      ...shared,
      confirmations,
      currentPassword,
      passkeyStepUp,
      factorVerifier: factorParts?.factorVerifier,
      issuer: sessions.issuer,
      clock,
    }),
    factors:
      factorParts &&
      buildFactors(settings, factorParts, {
        ...shared,
        ...limits,
        repositories,
        confirmations,
      }),
    passkeyMetrics: new PasskeyMetrics(),
    access,
    profile: new ProfileService(repositories.database, repositories.users, repositories.audit),
    personalData: new PersonalDataExport({ ...repositories, authenticator: sessions.authenticator }),
    revocations,
    sessionMinting: new SessionMinting({ ...shared, acting: settings.sessions.acting }),
    handoff: new HandoffService({
      ...shared,
      access,
      store,
      signer: tokens.handoffs,
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
    inbox: mail.mailer instanceof InboxMailer ? mail.mailer : undefined,
    facts,
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

function auditOf({ audit, auditLists }: Repositories): Auth['audit'] {
  const log = new AuditLog(auditLists);
  return {
    follow: (filter, start) => log.follow(filter, start),
    insert: (event, trx) => audit.insert(event, trx),
  };
}
