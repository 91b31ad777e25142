import { z } from 'zod';
import type { GeoipDatabase } from '../geoip/geoip-database.js';
import { place } from '../geoip/place-schema.js';
import { readable } from '../kernel/open-list.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { networkInput } from '../storage/network.js';
import { userFilter } from '../users/user-schema.js';
import { APPROVAL_STATUSES, GLOBAL_ROLES } from '../users/user.js';
import { SESSION_ORIGINS, type SessionDetails, type SessionEntry } from './session.js';

/**
 * Seconds since the proof of a second factor, or since the sign-in or step-up of users without one, within which users may
 * change how they sign in.
 */
export const CREDENTIAL_MAX_AGE = 900;

/** Reply of a sign-in or a refresh. */
export const tokenPair = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    /** Seconds until the access token expires. */
    expiresIn: z.int(),
    tokenType: z.literal('Bearer'),
  })
  .meta({ id: 'TokenPair' });
/** The tokens of a session: the access token is valid for `expiresIn` seconds, the refresh token for one use. */
export type TokenPair = z.output<typeof tokenPair>;

/** A refresh token, at most 1,024 characters. */
export const refreshTokenInput = z.object({ refreshToken: z.string().min(1).max(1024) });

/** Schema of a filter of active sessions. */
export const sessionFilter = z.object({
  id: uuidInput.optional().describe('Only this session.'),
  userId: uuidInput.optional().describe('Only sessions of this user.'),
  /** Sessions of the company's active members. */
  companyId: uuidInput.optional(),
  search: userFilter.shape.search.describe('Only sessions of users that this search of users finds.'),
  ipAddress: networkInput
    .optional()
    .describe('Only sessions that were opened from this IP address or network, such as `192.0.2.0/24`.'),
});
/**
 * Filter of active sessions: one by its id, those of one user, of a company's active members, of the users of a search, or from a network. Fields
 * combine; without one it matches all.
 */
export type SessionFilter = z.input<typeof sessionFilter>;
export type CheckedSessionFilter = z.output<typeof sessionFilter>;

const timestamp = z.iso.datetime();

/** Who acts in a session for its user. */
export const sessionActor = z
  .object({
    userId: z.guid().nullable().describe('The member of staff; null for an actor in free text.'),
    name: z.string().nullable().describe('Name of the member of staff, or the free text.'),
    reason: z.string().nullable().describe('Why the session was opened; null once it was erased.'),
  })
  .meta({ id: 'SessionActor' });

/** An active session as staff see it, without its tokens. */
export const sessionView = z
  .object({
    id: z.guid(),
    userId: z.guid(),
    email: z.string(),
    globalRole: z.enum(GLOBAL_ROLES),
    approvalStatus: z.enum(APPROVAL_STATUSES),
    profilePictureUrl: z.string().optional(),
    ipAddress: z.string().nullable(),
    place: place
      .optional()
      .describe('Approximate place of the IP address, often wrong; missing if it is not known.'),
    userAgent: z.string().nullable(),
    deviceName: z.string().nullable(),
    origin: z
      .enum(readable(SESSION_ORIGINS))
      .describe('The way in; `other` for one that this version does not know.'),
    amr: z
      .array(z.string())
      .describe('The methods of the sign-in and of steps-up, such as `pwd`, `otp` and `mfa` (RFC 8176).'),
    /** The parent session, if a hand-off created this one. */
    parentSessionId: z.guid().nullable(),
    actor: sessionActor
      .optional()
      .describe("Who acts in the session for its user; missing in a session of the user's own."),
    createdAt: timestamp,
    lastUsedAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'Session' });
/** An active session: user, device, time; times in ISO 8601. */
export type SessionView = z.output<typeof sessionView>;

/** Schema of a session as its user sees it. */
export const ownSessionView = sessionView.extend({ current: z.boolean() }).meta({ id: 'OwnSession' });
/** A session in the list of its user; `current` marks the session of the request. */
export type OwnSessionView = z.output<typeof ownSessionView>;

/** Reply of a successful operation without a result. */
export const statusOk = z.object({ status: z.literal('ok') }).meta({ id: 'StatusOk' });
/** Result of a successful operation that returns nothing else. */
export type StatusOk = z.output<typeof statusOk>;

/** Reply with the number of revoked sessions. */
export const revokedCount = z
  .object({ status: z.literal('ok'), revoked: z.int().min(0) })
  .meta({ id: 'RevokedCount' });
/** Number of sessions that a call has revoked. */
export type RevokedCount = z.output<typeof revokedCount>;

/** Reply with the numbers of active sessions. */
export const sessionStats = z
  .object({
    /** Users with at least one active session. */
    connectedUsers: z.int().min(0),
    activeSessions: z.int().min(0),
    /** Present if both numbers are estimates. */
    isEstimate: z.literal(true).optional(),
  })
  .meta({ id: 'SessionStats' });
/**
 * Numbers of signed-in users and of their active sessions. Exact up to about 100,000 sessions; above, estimated from a
 * sample, within a few percent.
 */
export type SessionStats = z.output<typeof sessionStats>;

/** Returns what lists show of a session, with its place if a database of places knows it. */
export function toSessionView(entry: SessionEntry, places: GeoipDatabase | undefined): SessionView {
  const found = places?.placeOf(entry.ipAddress);
  return {
    ...entry,
    ...(found && { place: found }),
    createdAt: entry.createdAt.toISOString(),
    lastUsedAt: entry.lastUsedAt.toISOString(),
    expiresAt: entry.expiresAt.toISOString(),
  };
}

/** All fields of a session; times in ISO 8601. */
export type SessionDetailsView = SessionView &
  Pick<SessionDetails, 'acr' | 'state' | 'revokeReason'> & {
    authTime: string;
    revokedAt: string | null;
  };

export function toSessionDetailsView(
  details: SessionDetails,
  places: GeoipDatabase | undefined,
): SessionDetailsView {
  return {
    ...details,
    ...toSessionView(details, places),
    authTime: details.authTime.toISOString(),
    revokedAt: details.revokedAt?.toISOString() ?? null,
  };
}
