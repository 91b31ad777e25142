/** The types of messages about a company, as in the list of the service, which a test compares with this one. */
export const COMPANY_EVENTS = [
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
