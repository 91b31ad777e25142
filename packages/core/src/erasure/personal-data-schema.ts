import { z } from 'zod';
import { API_KEY_KINDS } from '../api-key-records/api-key.js';
import { factorView } from '../factors/factor-schema.js';
import { INVITATION_STATUSES } from '../invitations/invitation-status.js';
import { readable } from '../kernel/open-list.js';
import { businessUnitMembershipView, companyMembershipView } from '../memberships/membership-schema.js';
import { passkeyView } from '../passkeys/passkey-schema.js';
import { sessionActor } from '../sessions/session-schema.js';
import { REVOKE_REASONS, SESSION_ORIGINS } from '../sessions/session.js';
import { trustedDeviceView } from '../trusted-devices/trusted-device-schema.js';
import { machineUserView } from '../users/user-schema.js';

/** Maximum age of the sign-in or step-up for an export, in seconds. */
export const EXPORT_MAX_AGE = 900;

const timestamp = z.iso.datetime();
const when = timestamp.nullable();

/** Schema of an export of personal data. */
export const personalData = z
  .object({
    exportedAt: timestamp,
    profile: machineUserView,
    companyMemberships: z.array(companyMembershipView),
    businessUnitMemberships: z.array(businessUnitMembershipView),
    sessions: z.array(
      z.object({
        id: z.guid(),
        origin: z.enum(readable(SESSION_ORIGINS)),
        ipAddress: z.string().nullable(),
        userAgent: z.string().nullable(),
        deviceName: z.string().nullable(),
        createdAt: timestamp,
        lastUsedAt: timestamp,
        expiresAt: timestamp,
        revokedAt: when,
        revokeReason: z.enum(readable(REVOKE_REASONS)).nullable(),
        actor: sessionActor.nullable().describe('Who acted in the session for the user, and why.'),
      }),
    ),
    /** The personal API keys of the user, and the company keys that the user made. */
    apiKeys: z.array(
      z.object({
        id: z.guid(),
        kind: z.enum(API_KEY_KINDS),
        name: z.string(),
        hint: z.string(),
        companyId: z.guid().nullable(),
        createdAt: timestamp,
        expiresAt: when,
        lastUsedAt: when,
        lastUsedIp: z.string().nullable(),
        revokedAt: when,
        revokeReason: z.string().nullable(),
      }),
    ),
    /** The webhooks that the user created. */
    webhooks: z.array(
      z.object({
        id: z.guid(),
        companyId: z.guid().nullable(),
        description: z.string(),
        createdAt: timestamp,
      }),
    ),
    /** Accounts at other services by which the user signs in. */
    linkedAccounts: z.array(
      z.object({
        id: z.guid(),
        connectionId: z.string(),
        subject: z.string(),
        email: z.string().nullable(),
        emailVerified: z.boolean(),
        createdAt: timestamp,
        lastUsedAt: when,
      }),
    ),
    passkeys: z.array(passkeyView),
    factors: z.array(factorView),
    recoveryCodesLeft: z.int().min(0),
    /** Devices from which the user signed in: only a digest is kept of each, and the rest until a mail has named it. */
    devices: z.array(
      z.object({
        firstUsedAt: timestamp,
        lastUsedAt: timestamp,
        deviceName: z.string().nullable(),
        ipAddress: z.string().nullable(),
      }),
    ),
    /** The picture that the user has uploaded, its file in base64; missing if there is none. */
    profilePicture: z
      .object({
        contentType: z.string(),
        width: z.int(),
        height: z.int(),
        updatedAt: timestamp,
        content: z.string(),
      })
      .optional(),
    /** Browsers that the user trusts; missing if there are none. */
    trustedDevices: z.array(trustedDeviceView).optional(),
    mails: z.array(z.object({ kind: z.string(), recipient: z.string(), createdAt: timestamp, sentAt: when })),
    /** Invitations to the user and by the user. */
    invitations: z.array(
      z.object({
        id: z.guid(),
        email: z.string(),
        companyId: z.guid(),
        role: z.string(),
        status: z.enum(INVITATION_STATUSES),
        isOwn: z.boolean().describe('True if the user has made the invitation.'),
        createdAt: timestamp,
        acceptedAt: when,
      }),
    ),
    emailChanges: z.array(
      z.object({
        newEmail: z.string(),
        oldEmail: z.string().nullable(),
        requestedAt: timestamp,
        confirmedAt: when,
      }),
    ),
    /** Entries about the user, newest first. Address and user agent of other people are left out. */
    auditEntries: z.array(
      z.object({
        id: z.guid(),
        occurredAt: timestamp,
        event: z.string(),
        outcome: z.enum(['success', 'failure', 'denied']),
        actor: z
          .string()
          .describe('`self`, or who acted: another user, a machine, an operator, or anonymous.'),
        isActedFor: z.boolean().describe('True if an actor acted in a session of the user; see `sessionId`.'),
        companyId: z.guid().nullable(),
        sessionId: z.guid().nullable(),
        ipAddress: z.string().nullable(),
        userAgent: z.string().nullable(),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    limits: z
      .object({ auditEntries: z.int(), otherLists: z.int() })
      .describe('Maximum length of a list; of a longer one the newest rows are returned.'),
    isComplete: z.boolean().describe('False if a list has more rows than its limit.'),
  })
  .meta({ id: 'PersonalData' });
/** Everything that is kept about a user, as one document: no passwords, keys, secrets or digests. Times in ISO 8601. */
export type PersonalData = z.output<typeof personalData>;
