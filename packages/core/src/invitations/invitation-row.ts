import type { Delegation } from '../memberships/membership.js';
import type { InvitationStatus } from './invitation-status.js';
import type { Invitation } from './invitation.js';

export interface InvitationRow {
  id: string;
  company_id: string;
  email: string;
  role: string;
  status: InvitationStatus;
  invited_by_user_id: string | null;
  accepted_by_user_id: string | null;
  module_grants: string[];
  permission_grants: string[];
  delegation: Delegation;
  metadata: Record<string, unknown> | null;
  locale: string | null;
  expires_at: Date;
  accepted_at: Date | null;
  cancelled_at: Date | null;
  last_sent_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** Status by the clock of the database: a pending invitation past its time is expired. */
export const INVITATION_STATUS =
  "CASE WHEN status = 'PENDING' AND expires_at <= now() THEN 'EXPIRED' ELSE status END";

export const INVITATION_COLUMNS = `id, company_id, email, role, invited_by_user_id, accepted_by_user_id, module_grants, permission_grants,
  delegation, metadata, locale, expires_at, accepted_at, cancelled_at, last_sent_at, created_at, updated_at,
  ${INVITATION_STATUS} AS status`;

export function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    companyId: row.company_id,
    email: row.email,
    role: row.role,
    status: row.status,
    invitedByUserId: row.invited_by_user_id,
    acceptedByUserId: row.accepted_by_user_id,
    moduleGrants: row.module_grants,
    permissionGrants: row.permission_grants,
    delegation: row.delegation,
    metadata: row.metadata,
    locale: row.locale,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    cancelledAt: row.cancelled_at,
    lastSentAt: row.last_sent_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
