import type { EmailVerificationRepository } from '../email-verification/email-verification-repository.js';
import { EmailVerificationService } from '../email-verification/email-verification-service.js';
import { VerificationLinkSource } from '../email-verification/verification-link-source.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { InvitationLinkSource } from '../invitations/invitation-link-source.js';
import { InvitationService } from '../invitations/invitation-service.js';
import type { Observer } from '../kernel/observer.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { MailComposer } from '../mail/mail-composer.js';
import type { Outbox } from '../mail/outbox.js';
import { PasswordResetRepository } from '../password-reset/password-reset-repository.js';
import { PasswordResetService } from '../password-reset/password-reset-service.js';
import { ResetLinkSource } from '../password-reset/reset-link-source.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { Settings } from '../settings/settings.js';
import type { Auth } from './auth.js';
import type { InvitationParts } from './build-invitations.js';
import type { Records } from './build-records.js';

interface Needs extends Records, InvitationParts {
  passwords: PasswordHasher;
  policy: PasswordPolicy;
  outbox: Outbox;
  setter: PasswordSetter;
  throttle: AccountThrottle;
  verifications: EmailVerificationRepository;
  sessionCreator: SessionCreator;
  beforeHooks: BeforeHookRunner;
  observer: Observer;
}

type MailedLinks = Pick<Auth, 'passwordReset' | 'emailVerification' | 'invitations' | 'invitationAcceptance'>;

/** The services whose secrets travel by mail; the composer learns who makes the links. */
export function buildMailedLinks(settings: Settings, needs: Needs, composer: MailComposer): MailedLinks {
  const { baseUrl } = settings.http;
  const { passwordResetTtl } = settings.oneTimeSecrets;
  const resets = new PasswordResetRepository(needs.database);
  const resetLinks = new ResetLinkSource({ ...needs, resets }, { baseUrl, ttl: passwordResetTtl });
  composer.register('password_reset', (mail) => resetLinks.linkFor(mail));
  const verificationLinks = new VerificationLinkSource({ ...needs, baseUrl });
  composer.register('email_verification', (mail) => verificationLinks.linkFor(mail));
  const invitationLinks = new InvitationLinkSource(needs.invitations, baseUrl);
  composer.register('invitation', (mail) => invitationLinks.linkFor(mail));
  return {
    passwordReset: new PasswordResetService({ ...needs, resets }),
    emailVerification: new EmailVerificationService({ ...needs, approval: settings.registration.approval }),
    invitations: new InvitationService(needs),
    invitationAcceptance: new InvitationAcceptance(needs),
  };
}
