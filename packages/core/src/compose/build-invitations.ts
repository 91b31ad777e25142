import { InvitationTransitions } from '../invitations/invitation-transitions.js';
import { InvitationWithdrawal } from '../invitations/invitation-withdrawal.js';
import type { Outbox } from '../mail/outbox.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { Settings } from '../settings/settings.js';
import type { Repositories } from './repositories.js';

/** Collaborators of the services that create, resend, accept, cancel and withdraw invitations. */
export interface InvitationCollaborators {
  readonly transitions: InvitationTransitions;
  readonly openInvitations: OpenInvitations;
}

export function buildInvitations(
  { oneTimeSecrets }: Settings,
  repositories: Repositories,
  outbox: Outbox,
): InvitationCollaborators {
  const ttl = oneTimeSecrets.invitationTtl;
  const transitions = new InvitationTransitions({ ...repositories, outbox, ttl });
  return { transitions, openInvitations: new InvitationWithdrawal({ ...repositories, transitions }) };
}
