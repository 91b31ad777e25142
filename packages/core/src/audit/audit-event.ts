import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';

/** Every event of the audit log. The list is closed, so that a reader of the log knows what to expect. */
export const AUDIT_EVENTS = [
  'login',
  'registration',
  'registration_cancelled',
  'logout',
  'logout_all',
  'logout_others',
  'refresh_reuse',
  'session_revoked',
  'sessions_revoked',
  'session_minted',
  'acting_code_created',
  'user_created',
  'user_updated',
  'user_approved',
  'user_rejected',
  'user_role_changed',
  'user_deactivated',
  'user_reactivated',
  'users_imported',
  'users_exported',
  'profile_updated',
  'picture_changed',
  'picture_removed',
  'personal_data_exported',
  'deletion_requested',
  'deletion_link_requested',
  'deletion_undone',
  'personal_data_erased',
  'step_up',
  'password_confirmation',
  'password_changed',
  'password_rehashed',
  'password_reset_requested',
  'password_reset_confirmed',
  'mailed_sign_in_requested',
  'email_verification_requested',
  'email_verified',
  'email_change_requested',
  'email_changed',
  'email_change_undone',
  'invitation_created',
  'invitation_resent',
  'invitation_cancelled',
  'invitation_accepted',
  'handoff_created',
  'handoff_exchanged',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'factor_added',
  'factor_removed',
  'factor_confirmation',
  'factors_reset',
  'recovery_codes_renewed',
  'recovery_code_used',
  'trusted_device_added',
  'trusted_device_removed',
  'external_identity_linked',
  'external_identity_unlinked',
  'external_identity_reclaimed',
  'external_identity_link_refused',
  'external_flow_failed',
  'service_token_issued',
  'service_token_denied',
  'api_key_created',
  'api_key_renamed',
  'api_key_rotated',
  'api_key_revoked',
  'api_key_denied',
  'membership_created',
  'membership_updated',
  'membership_left',
  'business_unit_membership_changed',
  'finance_changed',
  'role_created',
  'role_updated',
  'role_removed',
  'access_denied',
  'internal_key_rejected',
  'mail_retried',
  'webhook_created',
  'webhook_updated',
  'webhook_removed',
  'webhook_disabled',
  'webhook_secret_rotated',
  'webhook_retried',
  'webhook_replayed',
  'cleanup',
] as const;
/** The name of an event: one of `AUDIT_EVENTS`. `auth.on` listens to it, and the audit log is searched by it. */
export type AuditEventName = (typeof AUDIT_EVENTS)[number];

export interface AuditEvent {
  event: AuditEventName;
  outcome: 'success' | 'failure' | 'denied';
  actor: Actor;
  /** The user the event is about, if known. */
  subjectUserId?: string | undefined;
  companyId?: string | undefined;
  sessionId?: string | undefined;
  client: ClientInfo;
  /** Facts that explain the event; never a secret, never a password, never a token. */
  details?: Record<string, unknown> | undefined;
}
