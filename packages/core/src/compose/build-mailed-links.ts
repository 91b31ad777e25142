import type { HookGate } from '../hooks/hook-gate.js';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { InvitationLinkSource } from '../invitations/invitation-link-source.js';
import { InvitationRepository } from '../invitations/invitation-repository.js';
import { InvitationService } from '../invitations/invitation-service.js';
import { InvitationTransitions } from '../invitations/invitation-transitions.js';
import { InviterRepository } from '../invitations/inviter-repository.js';
import type { Observer } from '../kernel/observer.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { MailComposer } from '../mail/mail-composer.js';
import type { Outbox } from '../mail/outbox.js';
import { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import { PasswordResetRepository } from '../password-reset/password-reset-repository.js';
import { PasswordResetService } from '../password-reset/password-reset-service.js';
import { ResetLinkSource } from '../password-reset/reset-link-source.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { SessionOpener } from '../sessions/session-opener.js';
import type { Settings } from '../settings/settings.js';
import type { Auth } from './auth.js';
import type { Records } from './build-records.js';

interface Needs extends Records {
  passwords: PasswordHasher;
  policy: PasswordPolicy;
  outbox: Outbox;
  setter: PasswordSetter;
  opener: SessionOpener;
  gate: HookGate;
  observer: Observer;
}

type MailedLinks = Pick<Auth, 'passwordReset' | 'invitations' | 'invitationAcceptance'>;

/** The services whose secrets travel by mail; the composer learns who makes the links. */
export function buildMailedLinks(settings: Settings, needs: Needs, composer: MailComposer): MailedLinks {
  const { baseUrl } = settings.http;
  const { passwordResetTtl, invitationTtl } = settings.oneTimeSecrets;
  const resets = new PasswordResetRepository(needs.database);
  const resetLinks = new ResetLinkSource({ ...needs, resets }, { baseUrl, ttl: passwordResetTtl });
  composer.register('password_reset', (mail) => resetLinks.linkFor(mail));
  const invitations = new InvitationRepository(needs.database);
  const invitationLinks = new InvitationLinkSource(invitations, baseUrl);
  composer.register('invitation', (mail) => invitationLinks.linkFor(mail));
  const transitions = new InvitationTransitions({ ...needs, invitations }, { ttl: invitationTtl });
  const inviters = new InviterRepository(needs.database, needs.users);
  const membershipWrites = new MembershipWriteRepository();
  return {
    passwordReset: new PasswordResetService({ ...needs, resets }),
    invitations: new InvitationService({ ...needs, invitations, transitions, inviters }),
    invitationAcceptance: new InvitationAcceptance({ ...needs, invitations, membershipWrites }),
  };
}
