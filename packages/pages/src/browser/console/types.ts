import type { RequestInput, ResponseData, Schemas } from '@latchkey/client';

/** The signed-in user. */
export type Me = ResponseData<'GET', '/auth/me'>;
export type Role = Me['globalRole'];
export type User = Schemas['User'];
export type Session = Schemas['Session'];
export type Passkey = Schemas['Passkey'];
export type UserFactors = Schemas['UserFactors'];
export type UserContext = Schemas['UserContext'];
export type AuditEntry = Schemas['AuditEntry'];
export type Invitation = Schemas['Invitation'];
export type OutboxMail = Schemas['OutboxMail'];
export type ApiKey = Schemas['ApiKey'];
export type Webhook = Schemas['Webhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type Company = Schemas['Company'];
export type CompanyUser = Schemas['CompanyUser'];
export type ExplainedAccess = Schemas['ExplainedAccess'];
export type Activity = Schemas['Activity'];
export type HealthReport = Schemas['HealthReport'];

export type AuditQuery = NonNullable<RequestInput<'GET', '/internal/audit-logs'>['query']>;
export type UserQuery = NonNullable<RequestInput<'GET', '/internal/users'>['query']>;
export type SessionQuery = NonNullable<RequestInput<'GET', '/internal/sessions'>['query']>;
export type MailQuery = NonNullable<RequestInput<'GET', '/internal/mail'>['query']>;
