import { z } from 'zod';
import { APPROVAL_STATUSES, GLOBAL_ROLES } from '../users/user.js';
import type { SessionDetails, SessionEntry } from './session.js';

/** What a sign-in or a refresh answers with. */
export const tokenPair = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    /** Seconds until the access token expires. */
    expiresIn: z.int(),
    tokenType: z.literal('Bearer'),
  })
  .meta({ id: 'TokenPair' });
export type TokenPair = z.output<typeof tokenPair>;

export const refreshTokenInput = z.object({ refreshToken: z.string().min(1).max(1024) });

const timestamp = z.iso.datetime();

export const sessionView = z
  .object({
    id: z.guid(),
    userId: z.guid(),
    email: z.string(),
    globalRole: z.enum(GLOBAL_ROLES),
    approvalStatus: z.enum(APPROVAL_STATUSES),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    deviceName: z.string().nullable(),
    createdAt: timestamp,
    lastUsedAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'Session' });
export type SessionView = z.output<typeof sessionView>;

/** A person's own sessions, the one that asks marked. */
export const ownSessionView = sessionView.extend({ current: z.boolean() }).meta({ id: 'OwnSession' });
export type OwnSessionView = z.output<typeof ownSessionView>;

export const statusOk = z.object({ status: z.literal('ok') }).meta({ id: 'StatusOk' });
export type StatusOk = z.output<typeof statusOk>;

export const revokedCount = z
  .object({ status: z.literal('ok'), revoked: z.int().min(0) })
  .meta({ id: 'RevokedCount' });
export type RevokedCount = z.output<typeof revokedCount>;

export const sessionStats = z
  .object({
    /** Users with at least one active session. */
    connectedUsers: z.int().min(0),
    activeSessions: z.int().min(0),
  })
  .meta({ id: 'SessionStats' });
export type SessionStats = z.output<typeof sessionStats>;

export function toSessionView(entry: SessionEntry): SessionView {
  return {
    ...entry,
    createdAt: entry.createdAt.toISOString(),
    lastUsedAt: entry.lastUsedAt.toISOString(),
    expiresAt: entry.expiresAt.toISOString(),
  };
}

/** A session in full; times in ISO 8601. */
export type SessionDetailsView = SessionView &
  Pick<SessionDetails, 'origin' | 'amr' | 'state' | 'revokeReason'> & {
    authTime: string;
    revokedAt: string | null;
  };

export function toSessionDetailsView(details: SessionDetails): SessionDetailsView {
  return {
    ...details,
    ...toSessionView(details),
    authTime: details.authTime.toISOString(),
    revokedAt: details.revokedAt?.toISOString() ?? null,
  };
}
