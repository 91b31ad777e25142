import type { ErrorCode } from './error-code.js';

/**
 * Every `reason` of Latchkey's own errors, by its code. The list is closed, as that of the codes; a host app has reasons of
 * its own, which begin with `app.`. Each code is also
 * a reason of its own, for errors with nothing more to say.
 */
export const ERROR_REASONS = {
  validation_error: [
    'validation_error',
    'body_malformed',
    'body_too_large',
    'content_type_unsupported',
    'deletion_token_invalid',
    'email_change_token_invalid',
    'reset_token_invalid',
    'verification_token_invalid',
  ],
  unauthorized: [
    'unauthorized',
    'access_token_outdated',
    'api_key_invalid',
    'account_changed_during_sign_in',
    'challenge_invalid',
    'client_credentials_wrong',
    'code_wrong',
    'credentials_wrong',
    'current_password_wrong',
    'external_sign_in_cancelled',
    'external_sign_in_failed',
    'flow_invalid',
    'handoff_code_invalid',
    'mailed_sign_in_invalid',
    'passkey_not_accepted',
    'passkey_registration_failed',
    'refresh_token_invalid',
    'service_client_unknown',
    'session_expired',
  ],
  session_revoked: ['session_revoked', 'confirmation_failed'],
  reauthentication_required: ['reauthentication_required', 'second_factor_missing'],
  forbidden: [
    'forbidden',
    'actor_not_allowed',
    'api_key_of_other_company',
    'company_unknown',
    'content_type_not_allowed',
    'email_not_allowed',
    'former_membership_protected',
    'internal_key_invalid',
    'invitation_for_other_user',
    'module_missing',
    'not_a_member',
    'not_while_acting',
    'not_with_api_key',
    'offer_exceeds_authority',
    'origin_not_allowed',
    'own_authority',
    'permission_missing',
    'role_missing',
    'scope_missing',
    'scope_not_allowed',
    'service_clients_not_configured',
  ],
  pending_approval: ['pending_approval'],
  registration_rejected: ['registration_rejected'],
  account_inactive: ['account_inactive', 'deletion_pending'],
  email_unverified: ['email_unverified'],
  second_factor_required: ['second_factor_required'],
  registration_disabled: ['registration_disabled'],
  not_found: [
    'not_found',
    'api_key_not_found',
    'company_not_found',
    'connection_not_found',
    'endpoint_not_found',
    'factor_not_found',
    'identity_not_found',
    'invitation_not_found',
    'mail_not_found',
    'membership_not_found',
    'passkey_not_found',
    'picture_not_found',
    'role_not_found',
    'session_not_found',
    'trusted_device_not_found',
    'user_not_found',
    'webhook_delivery_not_found',
    'webhook_not_found',
  ],
  conflict: [
    'conflict',
    'account_changed',
    'actor_session_ended',
    'api_key_limit_reached',
    'business_unit_of_other_company',
    'company_ambiguous',
    'deletion_of_staff',
    'email_taken',
    'factor_limit_reached',
    'factor_missing',
    'first_factor_missing',
    'identity_limit_reached',
    'identity_taken',
    'invitation_accepted',
    'invitation_cancelled',
    'invitation_expired',
    'invitation_withdrawn',
    'invited_or_member',
    'last_company_superadmin',
    'last_sign_in_method',
    'last_superadmin',
    'mail_not_configured',
    'mail_not_waiting',
    'mailbox_confirmed',
    'mailbox_unconfirmed',
    'member_already',
    'membership_inactive',
    'passkey_limit_reached',
    'passkey_registered',
    'password_changed',
    'primary_approver_role',
    'record_in_use',
    'role_changed',
    'role_in_use',
    'role_limit_reached',
    'role_reserved',
    'sign_in_not_allowed',
    'user_erased',
    'value_taken',
    'webhook_inactive',
    'webhook_limit_reached',
    'webhooks_off',
  ],
  gone: ['gone'],
  rate_limited: [
    'rate_limited',
    'account_wait',
    'api_key_creations_limited',
    'code_limit_reached',
    'codes_blocked',
    'confirmation_in_progress',
    'email_change_limit_reached',
    'export_limit_reached',
    'invitation_limit_reached',
    'picture_limit_reached',
  ],
  not_implemented: ['not_implemented'],
  finance_db_not_configured: ['finance_db_not_configured'],
  service_unavailable: ['service_unavailable', 'too_busy'],
  not_ready: ['not_ready', 'stopping'],
  internal_error: ['internal_error'],
} as const satisfies Record<ErrorCode, readonly string[]>;

/** A reason of the host app. Letters, digits, `_`, `-` and `.` may follow the prefix, up to 64 characters in all. */
type AppReason = `app.${string}`;

/** The form of reasons of host apps. */
const APP_REASON = /^app\.[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;

/** A reason that an error of this code may have; without a code, any reason. */
export type ErrorReason<Code extends ErrorCode = ErrorCode> =
  | (typeof ERROR_REASONS)[Code][number]
  | AppReason;

/**
 * Returns the reason if it belongs to the code or is one of the host app, and the code itself for none.
 * @throws TypeError for anything else, which JavaScript callers may pass: silently replaced, programs could not branch on it.
 */
export function knownReason(code: ErrorCode, reason: string | undefined): ErrorReason {
  if (reason === undefined) return code;
  if (isAppReason(reason)) return reason;
  const reasons: readonly ErrorReason[] = Object.hasOwn(ERROR_REASONS, code) ? ERROR_REASONS[code] : [];
  const known = reasons.find((each) => each === reason);
  if (known !== undefined) return known;
  const own = `app.${reason}`;
  throw new TypeError(
    `reason: ${JSON.stringify(reason)} is no reason of ${code}; ` +
      `${isAppReason(own) ? `write '${own}'` : "write one such as 'app.no_seats'"}, because reasons of an app begin with app.`,
  );
}

const isAppReason = (reason: unknown): reason is AppReason =>
  typeof reason === 'string' && APP_REASON.test(reason);
