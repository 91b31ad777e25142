import type { ResponseData, Schemas } from '@latchkey/client';

/** The signed-in user. */
export type Me = ResponseData<'GET', '/auth/me'>;
export type Role = Me['globalRole'];
export type User = Schemas['User'];
export type Session = Schemas['Session'];
export type AuditEntry = Schemas['AuditEntry'];
export type Invitation = Schemas['Invitation'];
export type OutboxMail = Schemas['OutboxMail'];
export type ApiKey = Schemas['ApiKey'];
export type Webhook = Schemas['Webhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type Company = Schemas['Company'];
export type CompanyUser = Schemas['CompanyUser'];
export type HealthReport = Schemas['HealthReport'];
