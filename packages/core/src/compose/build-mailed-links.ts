import type { AccessService } from '../access/access-service.js';
import { EmailChangeService } from '../email-change/email-change-service.js';
import { EmailVerificationService } from '../email-verification/email-verification-service.js';
import type { FactorRemoval } from '../factors/factor-removal.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { InvitationService } from '../invitations/invitation-service.js';
import type { Observer } from '../kernel/observer.js';
import { AccountRemoval } from '../login/account-removal.js';
import type { ApprovalNotices } from '../login/approval-notices.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import { PasswordResetService } from '../password-reset/password-reset-service.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { SignInCompleter } from '../sessions/sign-in-completer.js';
import type { Settings } from '../settings/settings.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { Auth } from './auth.js';
import type { InvitationCollaborators } from './build-invitations.js';
import type { Repositories } from './repositories.js';

interface MailedLinksDeps extends Repositories, InvitationCollaborators {
  readonly access: AccessService;
  readonly passwords: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly outbox: Outbox;
  readonly setter: PasswordSetter;
  readonly factorRemoval: FactorRemoval;
  readonly throttle: AccountThrottle;
  readonly signInCompleter: SignInCompleter;
  readonly beforeHooks: BeforeHookRunner;
  readonly observer: Observer;
  readonly credentialStepUp: CredentialStepUp;
  readonly sessionRevoker: SessionRevoker;
  readonly signInPolicy: SignInPolicy;
  readonly approverNotices: ApprovalNotices;
}

type MailedLinks = Pick<
  Auth,
  'passwordReset' | 'emailVerification' | 'emailChange' | 'invitations' | 'invitationAcceptance'
>;

/** Builds the services whose one-time links are sent by mail. */
export const buildMailedLinks = ({ registration }: Settings, deps: MailedLinksDeps): MailedLinks => ({
  passwordReset: new PasswordResetService(deps),
  emailVerification: new EmailVerificationService(
    { ...deps, removal: new AccountRemoval(deps) },
    registration,
  ),
  emailChange: new EmailChangeService(deps),
  invitations: new InvitationService(deps),
  invitationAcceptance: new InvitationAcceptance(deps),
});
