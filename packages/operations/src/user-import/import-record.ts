import { z } from 'zod';
import { MAX_IDENTITIES } from '@latchkey/core/internal/identities/external-identity';
import { bytesOfBase64url } from '@latchkey/core/internal/kernel/base64url';
import { uuidInput } from '@latchkey/core/internal/kernel/uuid-input';
import {
  approvalLimitInput,
  delegationInput,
  keysInput,
  membershipRoleInput,
  moduleRuleInput,
} from '@latchkey/core/internal/memberships/membership-input';
import { APPROVAL_STATUSES, AUTH_PROVIDERS, GLOBAL_ROLES } from '@latchkey/core/internal/users/user';
import {
  contactInput,
  emailInput,
  fullNameInput,
  legacyIdsInput,
} from '@latchkey/core/internal/users/user-schema';

const MAX_MEMBERSHIPS = 1000;
const MAX_FACTORS = 20;
const MAX_HASH_LENGTH = 2048;

/** A time with its zone, such as `2024-05-01T12:00:00Z`. It stays text: a date of JavaScript would lose microseconds. */
const timeInput = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z' })
  .refine((text) => !text.startsWith('0000'), 'must be a time after the year 0');
const financeRole = z.enum(['SUBMITTER', 'APPROVER']).nullable();
const dates = { createdAt: timeInput.optional(), updatedAt: timeInput.optional() };

const importedBusinessUnit = z
  .strictObject({
    id: uuidInput.optional(),
    businessUnitId: uuidInput,
    isActive: z.boolean().default(true),
    financeRole: financeRole.default(null),
    approvalLimit: approvalLimitInput.default(null),
    isPrimaryApprover: z.boolean().default(false),
    ...dates,
  })
  .refine((unit) => !unit.isPrimaryApprover || (unit.isActive && unit.financeRole === 'APPROVER'), {
    path: ['isPrimaryApprover'],
    error: 'needs an active membership with the finance role APPROVER',
  });

const importedMembership = z
  .strictObject({
    id: uuidInput.optional(),
    companyId: uuidInput,
    role: membershipRoleInput.default('MEMBER'),
    isActive: z.boolean().default(true),
    approvalLimit: approvalLimitInput.default(null),
    financeRole: financeRole.default(null),
    isPrimaryFinanceAdmin: z.boolean().default(false),
    moduleGrants: keysInput.default([]),
    permissionGrants: keysInput.default([]),
    delegation: delegationInput.optional(),
    moduleRules: z.array(moduleRuleInput).max(500).default([]),
    businessUnits: z.array(importedBusinessUnit).max(MAX_MEMBERSHIPS).default([]),
    ...dates,
  })
  .refine((membership) => !membership.isPrimaryFinanceAdmin || membership.isActive, {
    path: ['isPrimaryFinanceAdmin'],
    error: 'needs an active membership',
  });

const importedTotp = z.strictObject({
  id: uuidInput.optional(),
  name: z.string().trim().min(1).max(100).default('Authenticator app'),
  /** The shared secret in base32 (RFC 4648 section 6), without padding: 16 to 64 bytes. */
  secret: z.string().regex(/^[A-Z2-7]{16,104}$/, 'must be base32 in capital letters, without padding'),
  confirmedAt: timeInput.optional(),
  /** The last time step that was accepted (RFC 6238 section 4.2). */
  lastStep: z.int().min(0).optional(),
  lastUsedAt: timeInput.optional(),
  createdAt: timeInput.optional(),
});

const encoded = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => bytesOfBase64url(text) !== undefined, 'must be base64url');

const importedRecoveryCode = z.strictObject({
  id: uuidInput.optional(),
  /** In base64url: the SHA-256 digest of the code or, with a key, the HMAC-SHA-256 of that digest. */
  digest: encoded(43).length(43, 'must be a SHA-256 digest in base64url'),
  key: encoded(43).length(43, 'must be a key of 32 bytes in base64url').optional(),
  createdAt: timeInput.optional(),
  usedAt: timeInput.optional(),
});

const importedPasskey = z.strictObject({
  id: uuidInput.optional(),
  credentialId: encoded(1_400),
  publicKey: encoded(4_000),
  counter: z.int().min(0).default(0),
  deviceType: z.enum(['singleDevice', 'multiDevice']),
  isBackedUp: z.boolean(),
  transports: z.array(z.string().max(50)).max(20).default([]),
  aaguid: uuidInput.optional(),
  name: z.string().trim().min(1).max(100).default('Passkey'),
  createdAt: timeInput.optional(),
  lastUsedAt: timeInput.optional(),
});

const importedIdentity = z.strictObject({
  id: uuidInput.optional(),
  /** The id of a connection of EXTERNAL_PROVIDERS, or the type of the only one of that type. */
  provider: z.string().min(1).max(64),
  /** Never an address: it may be given to another person. */
  subject: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^@]*$/, 'must be the subject there, never an address'),
  /** As the service reported it. Proves nothing here. */
  email: z.string().max(254).optional(),
  createdAt: timeInput.optional(),
  lastUsedAt: timeInput.optional(),
});

/**
 * One user of an import: a line of a file in JSON Lines, and what every other format is mapped to. Unknown fields are
 * faults, so that a misspelt one is not lost.
 */
export const importRecord = contactInput
  .extend({
    id: uuidInput.optional(),
    email: emailInput,
    isEmailVerified: z.boolean().default(false),
    emailVerifiedAt: timeInput.optional(),
    fullName: fullNameInput.optional(),
    authProvider: z.enum(AUTH_PROVIDERS).default('password'),
    globalRole: z.enum(GLOBAL_ROLES).default('NONE'),
    approvalStatus: z.enum(APPROVAL_STATUSES).default('APPROVED'),
    isActive: z.boolean().default(true),
    legacyIds: legacyIdsInput.default({}),
    /** A hash of this service or of another system, in one of the forms of `storedFormOf`. */
    passwordHash: z.string().min(1).max(MAX_HASH_LENGTH).optional(),
    passwordChangedAt: timeInput.optional(),
    lastLoginAt: timeInput.optional(),
    memberships: z.array(importedMembership).max(MAX_MEMBERSHIPS).default([]),
    totp: z.array(importedTotp).max(MAX_FACTORS).default([]),
    recoveryCodes: z.array(importedRecoveryCode).max(100).default([]),
    passkeys: z.array(importedPasskey).max(100).default([]),
    identities: z.array(importedIdentity).max(MAX_IDENTITIES).default([]),
    ...dates,
  })
  .strict();

/** One user of an import, as it is written in a file. */
export type ImportRecordInput = z.input<typeof importRecord>;
/** One user of an import, checked. */
export type ImportRecord = z.output<typeof importRecord>;
