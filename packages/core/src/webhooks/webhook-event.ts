/** Types of messages that concern one company, which its administrators may receive. */
export const COMPANY_WEBHOOK_TYPES = [
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

/** Every type of message but that of a test. The list is closed. */
export const WEBHOOK_TYPES = [
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
  ...COMPANY_WEBHOOK_TYPES,
  'factor.added',
  'factor.removed',
  'passkey.added',
  'passkey.removed',
  'refresh.reused',
] as const;
/** The type of a message. */
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** The type of a message that an administrator asked for. */
export const TEST_TYPE = 'webhook.test';

/** The events of the audit log that become messages. Others, and those with another outcome than success, do not. */
const TYPE_OF: Readonly<Record<string, WebhookType>> = {
  registration: 'user.created',
  user_created: 'user.created',
  user_updated: 'user.updated',
  profile_updated: 'user.updated',
  picture_changed: 'user.updated',
  picture_removed: 'user.updated',
  user_approved: 'user.approved',
  user_rejected: 'user.rejected',
  user_deactivated: 'user.deactivated',
  user_reactivated: 'user.reactivated',
  deletion_requested: 'user.deactivated',
  deletion_undone: 'user.reactivated',
  personal_data_erased: 'user.erased',
  registration_cancelled: 'user.erased',
  email_changed: 'user.email_changed',
  email_change_undone: 'user.email_changed',
  user_role_changed: 'user.role_changed',
  login: 'session.created',
  handoff_exchanged: 'session.created',
  session_minted: 'session.created',
  logout: 'session.revoked',
  logout_all: 'session.revoked',
  logout_others: 'session.revoked',
  session_revoked: 'session.revoked',
  sessions_revoked: 'session.revoked',
  membership_created: 'membership.created',
  membership_updated: 'membership.updated',
  membership_left: 'membership.ended',
  business_unit_membership_changed: 'membership.updated',
  finance_changed: 'membership.updated',
  invitation_created: 'invitation.created',
  invitation_accepted: 'invitation.accepted',
  invitation_cancelled: 'invitation.cancelled',
  factor_added: 'factor.added',
  factor_removed: 'factor.removed',
  factors_reset: 'factor.removed',
  passkey_added: 'passkey.added',
  passkey_removed: 'passkey.removed',
  api_key_created: 'api_key.created',
  api_key_revoked: 'api_key.revoked',
  role_created: 'role.changed',
  role_updated: 'role.changed',
  role_removed: 'role.changed',
  refresh_reuse: 'refresh.reused',
};

/** The events of the audit log that become messages. */
export const WEBHOOK_SOURCES: readonly string[] = Object.keys(TYPE_OF);

/** An entry of the audit log, as far as a message is made of it. */
export interface SourceEntry {
  readonly id: string;
  readonly occurredAt: Date;
  readonly event: string;
  readonly outcome: string;
  readonly actor: string;
  readonly subjectUserId: string | null;
  readonly companyId: string | null;
  readonly sessionId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns the type of message of an entry; undefined if there is none. A reused refresh token is recorded as denied. */
export function typeOf({ event, outcome, details }: SourceEntry): WebhookType | undefined {
  const wanted = event === 'refresh_reuse' ? 'denied' : 'success';
  const type = Object.hasOwn(TYPE_OF, event) && outcome === wanted ? TYPE_OF[event] : undefined;
  return event === 'membership_updated' && details.isActive === false ? 'membership.ended' : type;
}

/** Details with an id or the name of something that is no person. */
const ID_DETAILS = ['businessUnitId', 'invitationId', 'passkeyId', 'factorId', 'apiKeyId'] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIELD = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;
const MOST_FIELDS = 50;

/**
 * Returns the body of the message about an entry: ids, names of fields, and nothing that would have to be recalled when a person
 * is erased. Receivers that need more ask for it with a credential of their own.
 */
export function messageOf(type: WebhookType, entry: SourceEntry): string {
  const { details } = entry;
  const ids = ID_DETAILS.flatMap((name) => {
    const value = details[name];
    return typeof value === 'string' && UUID.test(value) ? [[name, value] as const] : [];
  });
  const changed = CHANGES.has(type) ? changedFields(details) : [];
  const data = {
    auditId: entry.id,
    ...(entry.subjectUserId !== null && { userId: entry.subjectUserId }),
    ...(entry.companyId !== null && { companyId: entry.companyId }),
    ...(entry.sessionId !== null && { sessionId: entry.sessionId }),
    ...Object.fromEntries(ids),
    actor: actorKindOf(entry.actor),
    ...(changed.length > 0 && { changed }),
  };
  return JSON.stringify({ type, timestamp: entry.occurredAt.toISOString(), data });
}

/** Returns the body of a test. */
export const testMessage = (now: Date): string =>
  JSON.stringify({ type: TEST_TYPE, timestamp: now.toISOString(), data: {} });

const CHANGES = new Set<WebhookType>([
  'user.updated',
  'membership.updated',
  'membership.ended',
  'role.changed',
]);

/** Names only: the values are personal data, or rights. */
function changedFields({
  fields,
  previous: _previous,
  ...details
}: Readonly<Record<string, unknown>>): string[] {
  const names = Array.isArray(fields) ? fields : Object.keys(details);
  return names
    .filter((name): name is string => typeof name === 'string' && FIELD.test(name))
    .slice(0, MOST_FIELDS);
}

/** The label is `user`, `anonymous`, `machine:…` or `cli:…`; the name of an operator is a person's. */
function actorKindOf(label: string): string {
  const [kind = ''] = label.split(':');
  return kind === 'cli' ? 'operator' : kind;
}

/** Returns whether an endpoint wants the message about an entry. */
export function wants(
  endpoint: { companyId: string | null; events: readonly string[] },
  type: WebhookType,
  companyId: string | null,
): boolean {
  if (endpoint.companyId !== null) {
    const isOfCompany = (COMPANY_WEBHOOK_TYPES as readonly string[]).includes(type);
    if (!isOfCompany || endpoint.companyId !== companyId) return false;
  }
  return endpoint.events.includes('*') || endpoint.events.includes(type);
}
