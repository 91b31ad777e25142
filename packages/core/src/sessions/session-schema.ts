import { z } from 'zod';
import { readable } from '../kernel/open-list.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { APPROVAL_STATUSES, GLOBAL_ROLES } from '../users/user.js';
import { SESSION_ORIGINS, type SessionDetails, type SessionEntry } from './session.js';

/**
 * Seconds since the proof of a second factor, or since the sign-in or step-up of users without one, within which users may
 * change how they sign in.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * kit.auth.authenticator.assertFresh(caller, CREDENTIAL_MAX_AGE); // → undefined
 * ```
 */
export const CREDENTIAL_MAX_AGE = 900;

/**
 * Reply of a sign-in or a refresh.
 * @example
 * ```ts
 * const tokens = { accessToken: 'a', refreshToken: 'r', expiresIn: 900, tokenType: 'Bearer' };
 * tokenPair.parse({ ...tokens, passwordHash: 'never' }); // → tokens
 * ```
 */
export const tokenPair = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    /** Seconds until the access token expires. */
    expiresIn: z.int(),
    tokenType: z.literal('Bearer'),
  })
  .meta({ id: 'TokenPair' });
/**
 * The tokens of a session: the access token is valid for `expiresIn` seconds, the refresh token for one use.
 * @example
 * ```ts
 * const { refreshToken } = await kit.user();
 * const next: TokenPair = await kit.auth.refresh.refresh(refreshToken);
 * next.refreshToken === refreshToken; // → false
 * ```
 */
export type TokenPair = z.output<typeof tokenPair>;

/**
 * A refresh token, at most 1,024 characters.
 * @example
 * ```ts
 * refreshTokenInput.safeParse({}).success; // → false
 * ```
 */
export const refreshTokenInput = z.object({ refreshToken: z.string().min(1).max(1024) });

/**
 * Filter of active sessions; without a field it matches all.
 * @example
 * ```ts
 * sessionFilter.parse({}); // → {}
 * sessionFilter.safeParse({ userId: 'ann' }).error?.issues[0]?.message; // → 'must be a UUID'
 * ```
 */
export const sessionFilter = z.object({
  userId: uuidInput.optional(),
  /** Sessions of the company's active members. */
  companyId: uuidInput.optional(),
});
/**
 * Filter of active sessions: those of one user, or of a company's active members.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const hers: SessionFilter = { userId: id };
 * (await kit.auth.admin.sessions.list(hers)).total; // → 1
 * ```
 */
export type SessionFilter = z.input<typeof sessionFilter>;

const timestamp = z.iso.datetime();

/** Who acts in a session for its user. */
export const sessionActor = z
  .object({
    userId: z.guid().nullable().describe('The member of staff; null for an actor in free text.'),
    name: z.string().nullable().describe('Name of the member of staff, or the free text.'),
    reason: z.string().nullable().describe('Why the session was opened; null once it was erased.'),
  })
  .meta({ id: 'SessionActor' });

/**
 * An active session as staff see it, without its tokens.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const { items } = await kit.auth.admin.sessions.listOfUser(id);
 * sessionView.array().parse(items.map((session) => ({ ...session, refreshToken: 'never leaves' }))); // → items
 * ```
 */
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
    origin: z
      .enum(readable(SESSION_ORIGINS))
      .describe('The way in; `other` for one that this version does not know.'),
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
/**
 * An active session: user, device, time; times in ISO 8601.
 * @example
 * ```ts
 * const lineOf = ({ email, deviceName }: SessionView): string => `${email} on ${deviceName ?? 'an unknown device'}`;
 * const { id, email } = await kit.user();
 * const { items } = await kit.auth.admin.sessions.listOfUser(id);
 * items.map(lineOf)[0] === `${email} on an unknown device`; // → true
 * ```
 */
export type SessionView = z.output<typeof sessionView>;

/**
 * A session of the caller; `current` marks the session of the request.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const { items } = await kit.auth.sessions.listOwn(caller);
 * ownSessionView.array().parse(items).map(({ current }) => current); // → [true]
 * ```
 */
export const ownSessionView = sessionView.extend({ current: z.boolean() }).meta({ id: 'OwnSession' });
/**
 * A session in the list of its user; `current` marks the session of the request.
 * @example
 * ```ts
 * const others = (sessions: readonly OwnSessionView[]): OwnSessionView[] =>
 *   sessions.filter(({ current }) => !current);
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * others((await kit.auth.sessions.listOwn(caller)).items); // → []
 * ```
 */
export type OwnSessionView = z.output<typeof ownSessionView>;

/**
 * Reply of a successful operation without a result.
 * @example
 * ```ts
 * statusOk.parse({ status: 'ok', secret: 'never leaves' }); // → { status: 'ok' }
 * ```
 */
export const statusOk = z.object({ status: z.literal('ok') }).meta({ id: 'StatusOk' });
/**
 * Result of a successful operation that returns nothing else.
 * @example
 * ```ts
 * const { refreshToken } = await kit.user();
 * const done: StatusOk = await kit.auth.sessions.logout(refreshToken);
 * done.status; // → 'ok'
 * ```
 */
export type StatusOk = z.output<typeof statusOk>;

/**
 * Reply with the number of revoked sessions.
 * @example
 * ```ts
 * revokedCount.safeParse({ status: 'ok', revoked: -1 }).success; // → false
 * ```
 */
export const revokedCount = z
  .object({ status: z.literal('ok'), revoked: z.int().min(0) })
  .meta({ id: 'RevokedCount' });
/**
 * Number of sessions that a call has revoked.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const result: RevokedCount = await kit.auth.sessions.logoutAll(caller);
 * result.revoked; // → 1
 * ```
 */
export type RevokedCount = z.output<typeof revokedCount>;

/**
 * Numbers of signed-in users and of their active sessions. Exact up to about 100,000 sessions; above, estimated from a
 * sample, within a few percent.
 * @example
 * ```ts
 * sessionStats.parse({ connectedUsers: 2, activeSessions: 3 }); // → { connectedUsers: 2, activeSessions: 3 }
 * ```
 */
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
 * Numbers of signed-in users and of their active sessions.
 * @example
 * ```ts
 * const sessionsEach = ({ activeSessions, connectedUsers }: SessionStats): number => activeSessions / connectedUsers;
 * await kit.user();
 * sessionsEach(await kit.auth.admin.sessions.stats()) >= 1; // → true
 * ```
 */
export type SessionStats = z.output<typeof sessionStats>;

export function toSessionView(entry: SessionEntry): SessionView {
  return {
    ...entry,
    createdAt: entry.createdAt.toISOString(),
    lastUsedAt: entry.lastUsedAt.toISOString(),
    expiresAt: entry.expiresAt.toISOString(),
  };
}

/**
 * All fields of a session; times in ISO 8601.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const [active] = (await kit.auth.admin.sessions.listOfUser(id)).items;
 * const found: SessionDetailsView[] = await kit.auth.admin.sessions.findByPrefix(active?.id ?? '', 1);
 * found.map(({ origin, state }) => [origin, state]); // → [['password', 'active']]
 * ```
 */
export type SessionDetailsView = SessionView &
  Pick<SessionDetails, 'amr' | 'acr' | 'state' | 'revokeReason'> & {
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
