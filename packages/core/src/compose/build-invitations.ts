import { InvitationRepository } from '../invitations/invitation-repository.js';
import { InvitationTransitions } from '../invitations/invitation-transitions.js';
import { InvitationWithdrawal } from '../invitations/invitation-withdrawal.js';
import { InviterRepository } from '../invitations/inviter-repository.js';
import type { Outbox } from '../mail/outbox.js';
import { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import type { Settings } from '../settings/settings.js';
import type { Records } from './build-records.js';

/** Collaborators of everything that invites, resends, accepts, cancels and withdraws. */
export interface InvitationParts {
  invitations: InvitationRepository;
  inviters: InviterRepository;
  transitions: InvitationTransitions;
  openInvitations: OpenInvitations;
  membershipWrites: MembershipWriteRepository;
}

export function buildInvitations(settings: Settings, records: Records, outbox: Outbox): InvitationParts {
  const { database, audit } = records;
  const { invitationTtl } = settings.oneTimeSecrets;
  const membershipWrites = new MembershipWriteRepository();
  const invitations = new InvitationRepository(database);
  const inviters = new InviterRepository({ ...records, membershipWrites });
  const transitions = new InvitationTransitions({ invitations, outbox, audit, ttl: invitationTtl });
  const openInvitations = new InvitationWithdrawal({ invitations, inviters, transitions });
  return { invitations, inviters, transitions, openInvitations, membershipWrites };
}
