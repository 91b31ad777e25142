import type { AccessService } from '../access/access-service.js';
import type { InternalKeyDenial } from '../admin/internal-key-denial.js';
import type { InternalKey } from '../admin/internal-key.js';
import type { SessionMinting } from '../admin/session-minting.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { AuthEventListener } from '../audit/auth-event.js';
import type { CompanyService } from '../companies/company-service.js';
import type { EmailVerificationService } from '../email-verification/email-verification-service.js';
import type { HandoffService } from '../handoff/handoff-service.js';
import type { HealthService } from '../health/health-service.js';
import type { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import type { InvitationService } from '../invitations/invitation-service.js';
import type { BrandColours } from '../kernel/accent-colours.js';
import type { Logger } from '../kernel/logger.js';
import type { LoginService } from '../login/login-service.js';
import type { PasswordService } from '../login/password-service.js';
import type { RegistrationService } from '../login/registration-service.js';
import type { InboxMailer } from '../mail/mailer.inbox.js';
import type { FinanceWorkflow } from '../memberships/finance-workflow.js';
import type { MembershipDirectory } from '../memberships/membership-directory.js';
import type { MembershipService } from '../memberships/membership-service.js';
import type { Metrics } from '../metrics/metrics.js';
import type { PasskeyLogin } from '../passkeys/passkey-login.js';
import type { PasskeyMetrics } from '../passkeys/passkey-metrics.js';
import type { PasskeyRegistration } from '../passkeys/passkey-registration.js';
import type { PasskeyService } from '../passkeys/passkey-service.js';
import type { PasswordResetService } from '../password-reset/password-reset-service.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import type { HashingCapacity } from '../rate-limits/hashing-capacity.js';
import type { ServiceTokenService } from '../service-tokens/service-token-service.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { ProfileService } from '../sessions/profile-service.js';
import type { RefreshService } from '../sessions/refresh-service.js';
import type { SessionService } from '../sessions/session-service.js';
import type { Settings } from '../settings/settings.js';
import type { KeySet } from '../tokens/key-set.js';
import type { Admin } from './admin.js';
import type { MailTransport } from './mail-transport.js';

/**
 * The service as the host app uses it: one member per group of use cases, and `close`.
 * @example
 * ```ts
 * async function emailOf(auth: Auth, accessToken: string): Promise<string> {
 *   const { user } = await auth.authenticator.authenticate(accessToken);
 *   return user.email;
 * }
 * const ann = await kit.user();
 * await emailOf(kit.auth, ann.accessToken) === ann.email; // → true
 * ```
 */
export interface Auth {
  /** The services of administrators, machines and operators. */
  readonly admin: Admin;
  /** Writes the audit log; `admin.audit` reads it. */
  readonly audit: AuditRepository;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly keys: KeySet;
  readonly health: HealthService;
  readonly authenticator: Authenticator;
  readonly internalKey: InternalKey;
  /** Rejects passwords from an address while no more of them can be hashed. */
  readonly hashingCapacity: HashingCapacity;
  readonly internalKeyDenial: InternalKeyDenial;
  /** Counts sign-ins, registrations and confirmations of an address. */
  readonly loginRateLimiter: AddressRateLimiter;
  /** Counts anonymous requests that write a row. */
  readonly anonymousRateLimiter: AddressRateLimiter;
  readonly login: LoginService;
  readonly registration: RegistrationService;
  readonly refresh: RefreshService;
  readonly sessions: SessionService;
  readonly passwords: PasswordService;
  /** The rules for new passwords, for forms that report every fault at once. */
  readonly passwordPolicy: Pick<PasswordPolicy, 'faultsIn'>;
  readonly passwordReset: PasswordResetService;
  readonly emailVerification: EmailVerificationService;
  readonly invitations: InvitationService;
  readonly invitationAcceptance: InvitationAcceptance;
  readonly access: AccessService;
  readonly profile: ProfileService;
  readonly members: MembershipDirectory;
  readonly memberships: MembershipService;
  readonly financeWorkflow: FinanceWorkflow;
  readonly companies: CompanyService;
  readonly sessionMinting: SessionMinting;
  readonly handoff: HandoffService;
  /** Undefined while passkeys are off. */
  readonly passkeys: Passkeys | undefined;
  readonly passkeyMetrics: PasskeyMetrics;
  readonly serviceTokens: ServiceTokenService;
  /** Metrics for Prometheus. */
  readonly metrics: Metrics;
  /** Undefined unless mail is kept in memory, outside production and without SMTP. */
  readonly inbox: InboxMailer | undefined;
  /** The accent of the brand and the text on it, legible in each colour scheme. */
  readonly brandColours: BrandColours;
  /** Facts for the start-up banner: transports, engines, key id. */
  readonly facts: AuthFacts;
  /** True as soon as `close` was called. */
  readonly isClosed: boolean;
  /**
   * Subscribes to audit events: one kind, or `'*'` for all. A listener receives a row after its transaction has
   * committed, never one that was rolled back; only rows of this process, each at most once, in the order of the
   * commits. It runs after the use case has returned; its errors are logged and have no other effect. A listener that
   * is added twice is called twice. Read `admin.audit` if no event may be missed.
   * @returns a function that ends the subscription.
   * @throws TypeError for an unknown event; the message names similar ones.
   */
  on(event: AuditEventName | '*', listener: AuthEventListener): () => void;
  /** Completes running work and closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}

/**
 * The services for passkeys.
 * @example
 * ```ts
 * const countPasskeys = async (passkeys: Passkeys, caller: SignedInUser): Promise<number> =>
 *   (await passkeys.own.list(caller)).total;
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const count = kit.auth.passkeys ? await countPasskeys(kit.auth.passkeys, caller) : 0;
 * count; // → 0
 * ```
 */
export interface Passkeys {
  readonly registration: PasskeyRegistration;
  readonly login: PasskeyLogin;
  /** The caller's own passkeys. */
  readonly own: PasskeyService;
}

export interface AuthFacts {
  /** The library that hashes passwords. */
  passwordEngine: string;
  storeKind: 'redis' | 'memory';
  mailTransport: MailTransport;
  /** The source of entitlements: a function of the host app, the core service, or none. */
  entitlements: 'function' | 'core service' | 'none';
  signingKeyId: string;
}
