/** The types of messages about a company. */
export const COMPANY_TYPES = [
  'membership.created',
  'membership.updated',
  'membership.ended',
  'invitation.created',
  'invitation.accepted',
  'invitation.cancelled',
  'api_key.created',
  'api_key.revoked',
  'role.changed',
  'connection.changed',
] as const;

const PLATFORM_TYPES = [
  'user.created',
  'user.updated',
  'user.approved',
  'user.rejected',
  'user.deactivated',
  'user.reactivated',
  'user.erased',
  'user.email_changed',
  'user.role_changed',
  'session.created',
  'session.revoked',
  ...COMPANY_TYPES,
  'factor.added',
  'factor.removed',
  'passkey.added',
  'passkey.removed',
  'refresh.reused',
] as const;

/** Returns the types of messages that a webhook of a company, or of the platform, can receive. */
export const webhookTypesOf = (isOfCompany: boolean): readonly (typeof PLATFORM_TYPES)[number][] =>
  isOfCompany ? COMPANY_TYPES : PLATFORM_TYPES;
