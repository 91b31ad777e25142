import type { ApiKeyKind } from '../api-key-records/api-key.js';
import type { ActingParty } from '../kernel/acting-party.js';
import type { Readable } from '../kernel/open-list.js';
import type { Memberships } from '../memberships/membership.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { ExtraClaims } from '../tokens/extra-claims.js';
import type { GlobalRole, User } from '../users/user.js';

export const SESSION_ORIGINS = [
  'password',
  'passkey',
  'handoff',
  'minted',
  'invitation',
  'app',
  'external',
  'mail',
] as const;
/** The way in which a session was created. */
export type SessionOrigin = (typeof SESSION_ORIGINS)[number];

export const REVOKE_REASONS = [
  'logout',
  'logout_all',
  'logout_others',
  'revoked',
  'revoke_all',
  'deactivated',
  'approval_withdrawn',
  'password_changed',
  'password_reset',
  'refresh_reuse',
  'confirmation_failed',
  'email_changed',
  'email_change_undone',
  'factors_reset',
  'factor_added',
  'role_changed',
  'identity_unlinked',
  'provider_logout',
  'deletion_requested',
  'erased',
] as const;
/** Reason for which a session was revoked. */
export type RevokeReason = (typeof REVOKE_REASONS)[number];

const ENDS_API_KEYS = [
  'deactivated',
  'approval_withdrawn',
  'password_reset',
  'email_change_undone',
  'factors_reset',
  'deletion_requested',
] as const satisfies RevokeReason[];

/**
 * Reports whether what ends all sessions of a user for this reason ends their personal API keys, too. A change of the password by a
 * signed-in user and a sign-out everywhere do not.
 */
export const endsApiKeys = (reason: RevokeReason): reason is (typeof ENDS_API_KEYS)[number] =>
  (ENDS_API_KEYS as readonly RevokeReason[]).includes(reason);

/** A caller with a session, from a verified access token. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  sessionId: string;
  globalRole: GlobalRole;
  tokenVersion: number;
  /** Time of the sign-in, seconds since the epoch. */
  authTime: number;
  amr: readonly string[];
  /** Level of the sign-in: `aal2` with two factors. */
  acr: AuthenticationLevel;
  /** Who acts for the user in this session; undefined in one of the user's own. */
  act?: ActingParty | undefined;
  /** Additional claims of the host app, frozen; empty if it adds none. */
  claims: ExtraClaims;
}

/** A caller with an API key: a program of a user or of a company. It has no platform role, even if its owner has one. */
export interface ApiKeyPrincipal {
  kind: 'api-key';
  apiKey: { id: string; kind: ApiKeyKind };
  /** The owner; `key:<id>` for a key of a company. This and `sessionId` are `sub` and `sid` of the tokens of a key. */
  userId: string;
  /** The id of the key. */
  sessionId: string;
  /** The company in which the key works; null for a key that works in none. */
  companyId: string | null;
  globalRole: 'NONE';
  /** The level of the session in which the key was made. */
  acr: AuthenticationLevel;
  amr: readonly string[];
  /** Seconds since the epoch; null for a key that does not expire. */
  expiresAt: number | null;
  act?: undefined;
  claims: ExtraClaims;
}

/** The caller of a request. `kind` tells callers apart: one with an API key has no session. */
export type Principal = SessionPrincipal | ApiKeyPrincipal;

/** A principal whose user row was read in the same query that checked the session. */
export interface SignedInUser extends SessionPrincipal {
  user: User;
}

/** A signed-in user with every active membership, read in that same query too. */
export interface SignedInMember extends SignedInUser {
  memberships: Memberships;
}

/** Who acts in a session for its user, as lists show them. All null once the person was erased. */
export interface SessionActor {
  /** The member of staff; null for an actor in free text. */
  userId: string | null;
  /** Name of the member of staff, or the free text that names the actor. */
  name: string | null;
  reason: string | null;
}

/** The identity at another service that opens a session. */
export interface OpeningIdentity {
  identityId: string;
  /** The session there, which may end the new one. */
  providerSessionId: string | null;
}

/** An active session in a list. */
export interface SessionEntry {
  id: string;
  userId: string;
  email: string;
  globalRole: GlobalRole;
  approvalStatus: User['approvalStatus'];
  /** The picture of the user. */
  profilePictureUrl?: string;
  ipAddress: string | null;
  userAgent: string | null;
  deviceName: string | null;
  origin: Readable<SessionOrigin>;
  /** The methods by which the user has signed in and stepped up (RFC 8176). */
  amr: string[];
  /** The parent session, if a hand-off created this one. */
  parentSessionId: string | null;
  /** Who acts in the session for its user; undefined in one of the user's own. */
  actor?: SessionActor | undefined;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** All fields of a session, active or not. */
export interface SessionDetails extends SessionEntry {
  acr: AuthenticationLevel;
  authTime: Date;
  /** By the clock of the database. */
  state: 'active' | 'expired' | 'revoked';
  revokedAt: Date | null;
  revokeReason: Readable<RevokeReason> | null;
}
