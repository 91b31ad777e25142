import { accentColours } from '../kernel/accent-colours.js';
import type { Built } from '../kernel/assemble.js';
import { InboxMailer } from '../mail/mailer.inbox.js';
import type { HealthReport } from '../metrics/health-report-schema.js';
import { HealthReporter } from '../metrics/health-reporter.js';
import type { MeasuredParts } from '../metrics/service-gauges.js';
import { PasskeyMetrics } from '../passkeys/passkey-metrics.js';
import type { Settings } from '../settings/settings.js';
import { adminOf } from './administration-parts.js';
import type { Auth, AuthFacts } from './auth.js';
import type { GivenParts } from './given-parts.js';
import { kindOfEntitlements } from './open-entitlements.js';
import type { SERVICE_PARTS } from './service-parts.js';

/** Every part of a running service. */
export type ServiceParts = GivenParts & Built<typeof SERVICE_PARTS>;

/** Ends a service, once. */
interface Closing {
  (): Promise<void>;
  hasBegun(): boolean;
}

/** Returns the service as the host app uses it. */
export function authOf(parts: ServiceParts, close: Closing): Auth {
  const facts = factsOf(parts);
  return {
    ...peopleOf(parts),
    ...companiesOf(parts),
    ...guardsOf(parts),
    admin: adminOf(parts),
    audit: {
      follow: (filter, start) => parts.auditLog.follow(filter, start),
      insert: (event, trx) => parts.audit.insert(event, trx),
    },
    settings: parts.settings,
    logger: parts.logger,
    tracer: parts.tracer,
    on: (event, listener) => parts.events.on(event, listener),
    health: parts.health,
    healthReport: new HealthReporter({ ...measuredOf(parts), facts: healthFactsOf(parts.settings, facts) }),
    metrics: parts.metrics,
    passkeyMetrics: new PasskeyMetrics(),
    brandColours: accentColours(parts.settings.brand.accent),
    inbox: parts.mail.mailer instanceof InboxMailer ? parts.mail.mailer : undefined,
    facts,
    get isClosed() {
      return close.hasBegun();
    },
    close,
  };
}

/** What people do with their accounts and sessions. */
const peopleOf = (parts: ServiceParts) => ({
  login: parts.login,
  signIn: parts.appSignIn,
  registration: parts.registration,
  refresh: parts.refresh,
  sessions: parts.sessionService,
  passwords: parts.passwordService,
  passwordPolicy: parts.policy,
  passwordReset: parts.passwordReset,
  emailVerification: parts.emailVerification,
  emailChange: parts.emailChange,
  passkeys: parts.passkeyServices,
  external: parts.external,
  mailedSignIn: parts.mailedSignIn,
  stepUp: parts.stepUp,
  factors: parts.factors,
  trustedDevices: parts.trustedDeviceService,
  profile: parts.profile,
  personalData: parts.personalData,
  accountDeletion: parts.accountDeletion,
  profilePictures: parts.profilePictures,
  sessionMinting: parts.sessionMinting,
  handoff: parts.handoff,
  staffActing: parts.staffActing,
});

const companiesOf = (parts: ServiceParts) => ({
  invitations: parts.invitationService,
  invitationAcceptance: parts.invitationAcceptance,
  access: parts.access,
  members: parts.membershipDirectory,
  memberships: parts.membershipService,
  companyActivity: parts.companyActivity,
  financeWorkflow: parts.financeWorkflow,
  companies: parts.companies,
  roles: parts.roleService,
});

/** What decides about requests, and what other services verify tokens with. */
const guardsOf = (parts: ServiceParts) => ({
  keys: parts.keys,
  deviceIds: parts.notices.delivers ? parts.deviceIds : undefined,
  authenticator: parts.authenticator,
  internalKey: parts.internalKey,
  internalKeyDenial: parts.internalKeyDenial,
  hashingCapacity: parts.hashingCapacity,
  loginRateLimiter: parts.signIns,
  anonymousRateLimiter: parts.anonymousWrites,
  serviceTokens: parts.serviceTokenService,
  apiKeys: {
    authenticator: parts.apiKeyAuthenticator,
    personal: parts.personalApiKeys,
    company: parts.companyApiKeys,
    verification: parts.apiKeyVerification,
  },
  revocations: parts.revocationFeed,
});

/** Returns the parts that are measured, under the names of their metrics. */
export const measuredOf = (parts: ServiceParts): MeasuredParts => ({
  database: parts.database,
  finance: parts.financeDatabase,
  store: parts.store,
  hasher: parts.passwords,
  access: parts.access,
  health: parts.health,
  outbox: parts.mails,
  revocations: parts.revocationFeed,
  deletions: parts.accountDeletion && parts.users,
  webhooks: parts.webhookDispatcher && {
    backlog: () => parts.webhookDeliveries.backlog(),
    endpoints: () => parts.webhookEndpoints.counts(),
  },
});

const factsOf = ({ passwords, breached, geoip, settings, ...parts }: ServiceParts): AuthFacts => ({
  passwordEngine: passwords.engine,
  hashingThreads: passwords.maxThreads,
  breachList: breached && { entries: breached.header.entries, builtAt: breached.header.builtAt },
  geoip: geoip && { type: geoip.type, builtAt: geoip.builtAt },
  storeKind: parts.store.kind,
  mailTransport: parts.mail.transport,
  entitlements: kindOfEntitlements(settings.coreService, parts.entitlementsFunction),
  signingKeyId: parts.keys.signingKeyId,
  webhooks: parts.webhookDispatcher ? settings.webhooks.mode : 'off',
  secondFactor: parts.factors ? parts.factorPolicy.mode : 'off',
  newerMigrations: parts.newerMigrations,
});

/** Returns the facts of a process that operators see: none of them is secret. */
const healthFactsOf = (
  { environment, passkeys, registration }: Settings,
  { signingKeyId, storeKind, mailTransport, entitlements, secondFactor, passwordEngine }: AuthFacts,
): HealthReport['facts'] => ({
  environment,
  signingKeyId,
  store: storeKind,
  mailTransport,
  entitlements,
  secondFactor,
  passkeys: passkeys.enabled,
  registration: registration.enabled,
  passwordEngine,
});
