import { AuthError } from '../kernel/auth-error.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';

export const API_KEY_KINDS = ['PERSONAL', 'COMPANY'] as const;
/** The owner of an API key: a user or a company. */
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

/** Reason for which an API key was revoked. */
export type ApiKeyRevokeReason =
  | 'revoked'
  | 'revoke_all'
  | 'membership_ended'
  | 'deactivated'
  | 'approval_withdrawn'
  | 'password_reset'
  | 'email_change_undone'
  | 'factors_reset'
  | 'deletion_requested'
  | 'mailbox_proved'
  | 'password_set';

/** A key for programs. Its rights are computed when it is used. */
export interface ApiKey {
  id: string;
  kind: ApiKeyKind;
  /** The company in which a key works; null for a personal key that works in none. */
  companyId: string | null;
  /** The owner; null for a key of a company. */
  userId: string | null;
  createdByUserId: string | null;
  /** The level of the session in which it was made; null without one. */
  createdAcr: AuthenticationLevel | null;
  name: string;
  /** The last characters of the key. */
  hint: string;
  /** The modules that the key is cut to; null for all of the owner's. */
  modules: string[] | null;
  permissions: string[] | null;
  createdAt: Date;
  expiresAt: Date | null;
  /** The time until which the key before the last rotation is accepted. */
  formerUntil: Date | null;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  revokedAt: Date | null;
  revokeReason: string | null;
}

/** Active keys of a user, and of a company. */
export const API_KEY_LIMITS: Readonly<Record<ApiKeyKind, number>> = { PERSONAL: 50, COMPANY: 100 };
/** Keys that a user, or the machines of a company, make in an hour. */
export const API_KEYS_PER_HOUR = 20;

/** The error for a key that does not exist, belongs to someone else, or has ended. */
export const apiKeyNotFound = (): AuthError => AuthError.notFound('The API key', 'api_key_not_found');
