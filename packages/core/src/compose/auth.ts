import type { AccessService } from '../access/access-service.js';
import type { AccountDeletionService } from '../account-deletion/account-deletion-service.js';
import type { InternalKeyDenial } from '../admin/internal-key-denial.js';
import type { InternalKey } from '../admin/internal-key.js';
import type { SessionMinting } from '../admin/session-minting.js';
import type { ApiKeyAuthenticator } from '../api-keys/api-key-authenticator.js';
import type { ApiKeyVerification } from '../api-keys/api-key-verification.js';
import type { CompanyApiKeys } from '../api-keys/company-api-keys.js';
import type { PersonalApiKeys } from '../api-keys/personal-api-keys.js';
import type { AppSignInService } from '../app-sign-in/app-sign-in-service.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { AuthEventListener } from '../audit/auth-event.js';
import type { CompanyService } from '../companies/company-service.js';
import type { RoleService } from '../company-roles/role-service.js';
import type { EmailChangeService } from '../email-change/email-change-service.js';
import type { EmailVerificationService } from '../email-verification/email-verification-service.js';
import type { PersonalDataExport } from '../erasure/personal-data-export.js';
import type { ExternalLogout } from '../external-sign-in/external-logout.js';
import type { ExternalSignInService } from '../external-sign-in/external-sign-in-service.js';
import type { LinkedIdentities } from '../external-sign-in/linked-identities.js';
import type { FactorVerifier } from '../factors/factor-verifier.js';
import type { HandoffService } from '../handoff/handoff-service.js';
import type { StaffActing } from '../handoff/staff-acting.js';
import type { HealthService } from '../health/health-service.js';
import type { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import type { InvitationService } from '../invitations/invitation-service.js';
import type { BrandColours } from '../kernel/accent-colours.js';
import type { Logger } from '../kernel/logger.js';
import type { Tracer } from '../kernel/tracer.js';
import type { LoginService } from '../login/login-service.js';
import type { PasswordService } from '../login/password-service.js';
import type { RegistrationService } from '../login/registration-service.js';
import type { InboxMailer } from '../mail/mailer.inbox.js';
import type { MailTransport } from '../mail/mailer.js';
import type { MailedSignInService } from '../mailed-sign-in/mailed-sign-in-service.js';
import type { CompanyActivity } from '../memberships/company-activity.js';
import type { FinanceWorkflow } from '../memberships/finance-workflow.js';
import type { MembershipDirectory } from '../memberships/membership-directory.js';
import type { MembershipService } from '../memberships/membership-service.js';
import type { HealthReporter } from '../metrics/health-reporter.js';
import type { Metrics } from '../metrics/metrics.js';
import type { PasskeyLogin } from '../passkeys/passkey-login.js';
import type { PasskeyMetrics } from '../passkeys/passkey-metrics.js';
import type { PasskeyRegistration } from '../passkeys/passkey-registration.js';
import type { PasskeyService } from '../passkeys/passkey-service.js';
import type { PasswordResetService } from '../password-reset/password-reset-service.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { ProfilePictureService } from '../profile-pictures/profile-picture-service.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import type { HashingCapacity } from '../rate-limits/hashing-capacity.js';
import type { RevocationFeed } from '../revocations/revocation-feed.js';
import type { FactorService } from '../second-factor/factor-service.js';
import type { SecondFactorSignIn } from '../second-factor/second-factor-sign-in.js';
import type { ServiceTokenService } from '../service-tokens/service-token-service.js';
import type { Authenticator } from '../sessions/authenticator.js';
import type { ProfileService } from '../sessions/profile-service.js';
import type { RefreshService } from '../sessions/refresh-service.js';
import type { SessionService } from '../sessions/session-service.js';
import type { SecondFactorMode } from '../settings/second-factor-mode.js';
import type { Settings } from '../settings/settings.js';
import type { WebhookMode } from '../settings/webhook-mode.js';
import type { DeviceIds } from '../sign-in-devices/device-ids.js';
import type { StepUpService } from '../step-up/step-up-service.js';
import type { KeySet } from '../tokens/key-set.js';
import type { TrustedDeviceService } from '../trusted-devices/trusted-device-service.js';
import type { Admin } from './admin.js';

/** The service as the host app uses it: one member per group of use cases, and `close`. */
export interface Auth {
  /** The services of administrators, machines and operators. */
  readonly admin: Admin;
  /** Follows the audit log, for work that may miss no event, and adds entries to it; `admin.audit` searches it. */
  readonly audit: Pick<AuditLog, 'follow'> & Pick<AuditRepository, 'insert'>;
  readonly settings: Settings;
  readonly logger: Logger;
  /** Undefined unless `TRACING` is on. */
  readonly tracer: Tracer | undefined;
  readonly keys: KeySet;
  /** Recognizes browsers by a cookie; undefined while users are not notified of new devices. */
  readonly deviceIds: DeviceIds | undefined;
  readonly health: HealthService;
  /** The state of this process, for operators. */
  readonly healthReport: HealthReporter;
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
  /** Signs in users that the app has identified in a way of its own. */
  readonly signIn: AppSignInService;
  readonly registration: RegistrationService;
  readonly refresh: RefreshService;
  readonly sessions: SessionService;
  readonly passwords: PasswordService;
  /** The rules for new passwords, for forms that report every fault at once. */
  readonly passwordPolicy: Pick<PasswordPolicy, 'faultsIn'>;
  readonly passwordReset: PasswordResetService;
  readonly emailVerification: EmailVerificationService;
  /** Changes the email address of the caller, by links to the new and the old address. */
  readonly emailChange: EmailChangeService;
  readonly invitations: InvitationService;
  readonly invitationAcceptance: InvitationAcceptance;
  readonly access: AccessService;
  readonly profile: ProfileService;
  /** Returns to users what is kept about them; `admin.erasure` erases it. */
  readonly personalData: PersonalDataExport;
  /** Deletes the account of the caller, with seven days to undo it; undefined unless `ACCOUNT_DELETION` is `self`. */
  readonly accountDeletion: AccountDeletionService | undefined;
  /** Keeps pictures that users upload; undefined unless `PROFILE_PICTURES` is on. */
  readonly profilePictures: ProfilePictureService | undefined;
  readonly members: MembershipDirectory;
  readonly memberships: MembershipService;
  /** The audit log of a company, for its administrators. */
  readonly companyActivity: CompanyActivity;
  readonly financeWorkflow: FinanceWorkflow;
  readonly companies: CompanyService;
  /** Definitions of roles: of companies, and templates for all of them. `admin.rolePreview` previews a change. */
  readonly roles: RoleService;
  readonly sessionMinting: SessionMinting;
  readonly handoff: HandoffService;
  /** Lets platform staff act for users; undefined unless `STAFF_ACTING` is on. */
  readonly staffActing: StaffActing | undefined;
  /** Undefined while passkeys are off. */
  readonly passkeys: Passkeys | undefined;
  /** Undefined unless users may sign in by mail (`MAILED_SIGN_IN`). */
  readonly mailedSignIn: MailedSignInService | undefined;
  /** Undefined while no provider is configured (`EXTERNAL_PROVIDERS`). */
  readonly external: External | undefined;
  /** Proves the identity of a signed-in user again, for sensitive actions. */
  readonly stepUp: StepUpService;
  /** Undefined while second factors are off. */
  readonly factors: Factors | undefined;
  /** Undefined while no device can be trusted (`TRUSTED_DEVICE_DAYS`). */
  readonly trustedDevices: TrustedDeviceService | undefined;
  readonly passkeyMetrics: PasskeyMetrics;
  readonly serviceTokens: ServiceTokenService;
  /** Keys for programs. Which of them exist is the setting `API_KEYS`. */
  readonly apiKeys: ApiKeys;
  /** The feed of what ends access tokens, for services that verify tokens by themselves. */
  readonly revocations: RevocationFeed;
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
   * is added twice is called twice. Follow `audit` if no event may be missed.
   * @returns a function that ends the subscription.
   * @throws TypeError for an unknown event; the message names similar ones.
   */
  on(event: AuditEventName | '*', listener: AuthEventListener): () => void;
  /** Completes running work and closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}

/** The services for passkeys. */
export interface Passkeys {
  readonly registration: PasskeyRegistration;
  readonly login: PasskeyLogin;
  /** The caller's own passkeys. */
  readonly own: PasskeyService;
}

/** The services for sign-ins by other services. */
export interface External {
  readonly signIn: ExternalSignInService;
  /** The caller's own identities. */
  readonly identities: LinkedIdentities;
  /** Takes the logouts of providers. */
  readonly logout: ExternalLogout;
}

/** The services for second factors. */
export interface Factors {
  /** The caller's own second factors. */
  readonly own: FactorService;
  /** Completes sign-ins that require a second factor. */
  readonly signIn: SecondFactorSignIn;
  /** Verifies and spends codes and recovery codes, for use cases that ask for one. */
  readonly verifier: FactorVerifier;
}

/** The services for API keys. */
export interface ApiKeys {
  readonly authenticator: ApiKeyAuthenticator;
  /** The caller's own keys. */
  readonly personal: PersonalApiKeys;
  readonly company: CompanyApiKeys;
  /** Verifies keys for other services. */
  readonly verification: ApiKeyVerification;
}

export interface AuthFacts {
  /** The library that hashes passwords. */
  passwordEngine: string;
  /** Threads that hash passwords at most. */
  hashingThreads: number;
  /** The list of breached passwords; undefined if none is configured. */
  breachList?: { entries: number; builtAt: Date } | undefined;
  /** The database of places by IP address; undefined if none is configured. */
  geoip?: { type: string; builtAt: Date } | undefined;
  storeKind: 'redis' | 'memory';
  mailTransport: MailTransport;
  /** The source of entitlements: a function of the host app, the core service, or none. */
  entitlements: 'function' | 'core service' | 'none';
  signingKeyId: string;
  /** The users who need a second factor; `off` without an encryption key. */
  secondFactor: SecondFactorMode;
  /** The owners that have webhooks; `off` also where no encryption key is known. */
  webhooks: WebhookMode;
  /** Names of applied migrations that are newer than this program, which can run on their result. */
  newerMigrations: readonly string[];
}
