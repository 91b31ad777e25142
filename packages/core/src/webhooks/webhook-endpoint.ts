import type { EncryptedValue } from '../encryption/value-cipher.js';

/** Endpoints of the platform, and of one company. */
export const MAX_PLATFORM_ENDPOINTS = 20;
export const MAX_COMPANY_ENDPOINTS = 5;

/** Why the service stopped sending: the receiver responded with 410, or nothing but failures for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A receiver of messages. */
export interface WebhookEndpoint {
  id: string;
  /** Null: events of the whole platform. */
  companyId: string | null;
  url: string;
  events: string[];
  description: string;
  isActive: boolean;
  disabledReason: DisabledReason | null;
  failingSince: Date | null;
  /** The former secret signs until then. */
  formerSecretUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** An encrypted secret, with the column that it is bound to. */
export type SecretColumnName = 'secret' | 'former_secret';

/** Returns what a secret is encrypted for: it cannot be read in another row or column. */
export const placeOfSecret = (column: SecretColumnName, endpointId: string): string =>
  `webhook_endpoints:${endpointId}:${column}`;

/** Secrets of an endpoint that sign now. */
export interface EndpointSecrets {
  secret: EncryptedValue;
  formerSecret: EncryptedValue | undefined;
}
