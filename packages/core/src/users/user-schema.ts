import { z } from 'zod';
import { LOCALES } from '../kernel/locale.js';
import { nameInput } from '../kernel/name-input.js';
import { atLeastOneField, atLeastOneFieldBesides } from '../kernel/patch-input.js';
import { yesOrNo } from '../kernel/query-value.js';
import { LEAST_MIN_LENGTH, MAX_CODE_POINTS } from '../passwords/password-policy.js';
import { canonicalEmail, MAX_EMAIL_LENGTH } from './email.js';
import { filledProfile, mapProfile, type ProfileField } from './profile-fields.js';
import { APPROVAL_STATUSES, AUTH_PROVIDERS, GLOBAL_ROLES, USER_SORTS, type User } from './user.js';

/** An email address in any spelling; the output is in canonical form. */
export const emailInput = z
  .string()
  .max(1024)
  .transform((text, context) => {
    const email = canonicalEmail(text);
    if (email !== undefined) return email;
    context.addIssue({ code: 'custom', message: 'must be an email address' });
    return z.NEVER;
  })
  // For descriptions: spaces around it and international domains are accepted beside these.
  .meta({ format: 'email', maxLength: MAX_EMAIL_LENGTH });

/** Any text that could be a password; the policy is checked when one is set. */
export const passwordInput = z.string().min(1).max(4096).meta({ format: 'password' });

/** A new password: its description has the widest bounds of the policy, which itself is checked later. */
export const newPasswordInput = passwordInput
  .meta({ minLength: LEAST_MIN_LENGTH, maxLength: MAX_CODE_POINTS, format: 'password' })
  .describe('The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.');

export const fullNameInput = nameInput(200);

/** The value of each field of a profile that may be empty. */
const PROFILE_VALUES: Readonly<Record<ProfileField, z.ZodType<string, string>>> = {
  phonePrefix: z.string().regex(/^\+[1-9]\d{0,3}$/, 'must be a dial code such as +49'),
  phoneNumber: z.string().regex(/^\d{4,15}$/, 'must be 4 to 15 digits without the dial code'),
  profilePictureUrl: z
    .string()
    .max(2048)
    .refine(isPublicUrl, 'must be an http(s) URL without credentials')
    .meta({ format: 'uri', pattern: '^https?://[^\\s@\\\\/?#]+([/?#][^\\s\\\\]*)?$' }),
  locale: z.enum(LOCALES),
};

/** Returns a schema for creation: an empty string counts as omitted. */
const orOmitted = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional();
/**
 * Returns a schema for patches: an empty string clears the field; the repository does it, so that checking
 * twice changes nothing.
 */
const orCleared = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]).optional();

export const contactInput = z.object(mapProfile((field) => orOmitted(PROFILE_VALUES[field])));

const profileFields = z.object({
  fullName: fullNameInput.optional(),
  ...mapProfile((field) => orCleared(PROFILE_VALUES[field])),
});

/** Input of `PATCH /auth/me`: changes of the own profile. */
export const profilePatchInput = atLeastOneField(profileFields);
/** Changes of the own profile; an empty string clears a field. */
export type ProfilePatch = z.input<typeof profilePatchInput>;

const administeredFields = profileFields.extend({
  authProvider: z.enum(AUTH_PROVIDERS).optional(),
  globalRole: z.enum(GLOBAL_ROLES).optional(),
  approvalStatus: z.enum(APPROVAL_STATUSES).optional(),
  isActive: z.boolean().optional(),
});

/** Why a user is changed, which the audit log keeps as `statedReason`. */
export const statedReasonInput = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .meta({ pattern: '\\S' })
  .describe('Kept in the audit log as `statedReason`; it must not name the person.')
  .optional();

/** Changes of a user that staff may make. */
export const userPatchInput = atLeastOneFieldBesides(
  'reason',
  administeredFields.extend({ reason: statedReasonInput }),
);
/** Changes of a user that a machine may make: the email too. */
export const machineUserPatchInput = atLeastOneFieldBesides(
  'reason',
  administeredFields.extend({ email: emailInput.optional(), reason: statedReasonInput }),
);
/** Changes of a user: profile, role, approval, activity and, by trusted actors, the address. */
export type UserPatch = z.input<typeof machineUserPatchInput>;

/** Input of a new user that staff may send. */
export const createUserInput = contactInput.extend({
  email: emailInput,
  password: newPasswordInput.optional(),
  fullName: fullNameInput.optional(),
  authProvider: z.enum(AUTH_PROVIDERS).default('password'),
  globalRole: z.enum(GLOBAL_ROLES).default('NONE'),
  approvalStatus: z.enum(APPROVAL_STATUSES).default('APPROVED'),
  isActive: z.boolean().default(true),
});

export const legacyIdsInput = z
  .record(z.string().min(1).max(100), z.string().max(200))
  .refine((ids) => Object.keys(ids).length <= 50, {
    error: 'must have at most 50 entries',
    params: { reason: 'too_long' },
  })
  .meta({ maxProperties: 50 })
  .describe('Identifiers of the user in older systems.');

/** Input of a new user that a machine may send: also identifiers of older systems. */
export const machineCreateUserInput = createUserInput.extend({ legacyIds: legacyIdsInput.default({}) });
/** A new user; all fields but the address are optional, and default to approved, active and without a role. */
export type CreateUser = z.input<typeof machineCreateUserInput>;

/** Filter of users, as the query of a request. */
export const userFilter = z.object({
  approvalStatus: z.enum(APPROVAL_STATUSES).optional().describe('Only users of this approval status.'),
  globalRole: z.enum(GLOBAL_ROLES).optional().describe('Only users of this role on the platform.'),
  isActive: yesOrNo.optional().describe('Only users that are active, or that are not.'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ pattern: '\\S' })
    .optional()
    .describe(
      'The start of an email address or a part of a name; fewer than three characters match the start of a word of the name.',
    ),
  sort: z
    .enum(USER_SORTS)
    .optional()
    .describe(
      'The order; a minus reverses it. Newest first by default. Users without a name come before the others.',
    ),
});
/** Filter of users: by status, by role, by the prefix of an address or a part of a name; and their order. */
export type UserFilter = z.input<typeof userFilter>;
export type CheckedUserFilter = z.output<typeof userFilter>;

const timestamp = z.iso.datetime();

/** Reply of `PATCH /auth/me`: the fields that can be changed. */
export const profileView = z
  .object({
    id: z.guid(),
    email: z.string(),
    fullName: z.string().nullable(),
    name: z.string().nullable(),
    ...mapProfile(() => z.string().optional()),
  })
  .meta({ id: 'Profile' });
/** A user's profile; unset fields are missing. */
export type ProfileView = z.output<typeof profileView>;

/** Schema of a user as staff see them. */
export const userView = profileView
  .extend({
    authProvider: z.enum(AUTH_PROVIDERS),
    globalRole: z.enum(GLOBAL_ROLES),
    approvalStatus: z.enum(APPROVAL_STATUSES),
    isActive: z.boolean(),
    tokenVersion: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
    lastLoginAt: timestamp.optional(),
    /** Time at which the mailbox was proved; missing for a registration that was never confirmed. */
    emailVerifiedAt: timestamp.optional(),
    /** Time at which the account is deleted, as its user asked; missing for all other users. */
    deleteAt: timestamp.optional(),
    /** Time at which the personal data was erased; missing for all other users. */
    erasedAt: timestamp.optional(),
  })
  .meta({ id: 'User' });
/** A user as staff see them, without the password hash; times in ISO 8601. */
export type UserView = z.output<typeof userView>;

/** Schema of a user as machines and operators see them. */
export const machineUserView = userView
  .extend({ legacyIds: z.record(z.string(), z.string()) })
  .meta({ id: 'MachineUser' });
/** A user as machines and operators see them, with the identifiers of older systems. */
export type MachineUserView = z.output<typeof machineUserView>;

export function toProfileView(user: User): ProfileView {
  return {
    id: user.id,
    email: user.email,
    fullName: user.fullName,
    name: user.fullName,
    ...filledProfile(user),
  };
}

export function toUserView(user: User): MachineUserView {
  return {
    ...toProfileView(user),
    authProvider: user.authProvider,
    globalRole: user.globalRole,
    approvalStatus: user.approvalStatus,
    isActive: user.isActive,
    tokenVersion: user.tokenVersion,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
    ...(user.lastLoginAt && { lastLoginAt: user.lastLoginAt.toISOString() }),
    ...emailVerifiedAtOf(user),
    ...(user.deleteAt && { deleteAt: user.deleteAt.toISOString() }),
    ...(user.erasedAt && { erasedAt: user.erasedAt.toISOString() }),
    legacyIds: user.legacyIds,
  };
}

/** Returns the time of the proof; no field while the mailbox is not proved. */
export const emailVerifiedAtOf = ({ emailVerifiedAt }: Pick<User, 'emailVerifiedAt'>) =>
  emailVerifiedAt === null ? {} : { emailVerifiedAt: emailVerifiedAt.toISOString() };

/**
 * Pattern of a URL, stricter than the parser, which accepts `https:/x` and drops spaces and line breaks that
 * would be stored.
 */
const HTTP_URL = /^https?:\/\/[^\s\p{Cc}\\]+$/iu;

function isPublicUrl(text: string): boolean {
  if (!HTTP_URL.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
