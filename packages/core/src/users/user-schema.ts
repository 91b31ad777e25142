import { z } from 'zod';
import { canonicalEmail } from './email.js';
import { APPROVAL_STATUSES, AUTH_PROVIDERS, GLOBAL_ROLES, type User } from './user.js';

/** An email address in any spelling; comes out in canonical form. */
export const emailInput = z
  .string()
  .max(1024)
  .transform((text, context) => {
    const email = canonicalEmail(text);
    if (email !== undefined) return email;
    context.addIssue({ code: 'custom', message: 'must be an email address' });
    return z.NEVER;
  });

/** Any text that could be a password; the policy is checked where one is set. */
export const passwordInput = z.string().min(1).max(4096);

export const fullNameInput = z.string().trim().min(1).max(200);

const phonePrefix = z.string().regex(/^\+[1-9]\d{0,3}$/, 'must be a dial code such as +49');
const phoneNumber = z.string().regex(/^\d{4,15}$/, 'must be 4 to 15 digits without the dial code');
const pictureUrl = z.string().max(2048).refine(isPublicUrl, 'must be an http(s) URL without credentials');

/** On creation an empty string counts as left out. */
const orOmitted = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional();
/** In a patch an empty string clears the field. */
const orCleared = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => null), schema]).optional();

export const contactInput = z.object({
  phonePrefix: orOmitted(phonePrefix),
  phoneNumber: orOmitted(phoneNumber),
  profilePictureUrl: orOmitted(pictureUrl),
});

const AT_LEAST_ONE = 'at least one field to change is needed';
const changesSomething = (patch: object): boolean =>
  Object.values(patch).some((value) => value !== undefined);

const profileFields = z.object({
  fullName: fullNameInput.optional(),
  phonePrefix: orCleared(phonePrefix),
  phoneNumber: orCleared(phoneNumber),
  profilePictureUrl: orCleared(pictureUrl),
});

/** `PATCH /auth/me`: what people change about themselves. */
export const profilePatchInput = profileFields.refine(changesSomething, AT_LEAST_ONE);
export type ProfilePatch = z.output<typeof profilePatchInput>;

const administeredFields = profileFields.extend({
  authProvider: z.enum(AUTH_PROVIDERS).optional(),
  globalRole: z.enum(GLOBAL_ROLES).optional(),
  approvalStatus: z.enum(APPROVAL_STATUSES).optional(),
  isActive: z.boolean().optional(),
});

/** What staff may change of a user. */
export const userPatchInput = administeredFields.refine(changesSomething, AT_LEAST_ONE);
/** What a machine may change of a user: the email too. */
export const machineUserPatchInput = administeredFields
  .extend({ email: emailInput.optional() })
  .refine(changesSomething, AT_LEAST_ONE);
export type UserPatch = z.output<typeof machineUserPatchInput>;

/** What staff may say of a new user. */
export const createUserInput = contactInput.extend({
  email: emailInput,
  password: passwordInput.optional(),
  fullName: fullNameInput.optional(),
  authProvider: z.enum(AUTH_PROVIDERS).default('password'),
  globalRole: z.enum(GLOBAL_ROLES).default('NONE'),
  approvalStatus: z.enum(APPROVAL_STATUSES).default('APPROVED'),
  isActive: z.boolean().default(true),
});

const legacyIds = z
  .record(z.string().min(1).max(100), z.string().max(200))
  .refine((ids) => Object.keys(ids).length <= 50, 'at most 50 entries');

/** A machine may also carry over identifiers of older systems. */
export const machineCreateUserInput = createUserInput.extend({ legacyIds: legacyIds.default({}) });
export type CreateUser = z.output<typeof machineCreateUserInput>;

export const userFilter = z.object({
  approvalStatus: z.enum(APPROVAL_STATUSES).optional(),
  globalRole: z.enum(GLOBAL_ROLES).optional(),
  isActive: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  /** The beginning of an email or a part of a name. */
  search: z.string().trim().min(1).max(200).optional(),
});
export type UserFilter = z.output<typeof userFilter>;

const timestamp = z.iso.datetime();

/** `PATCH /auth/me` answers with what can be patched. */
export const profileView = z
  .object({
    id: z.guid(),
    email: z.string(),
    fullName: z.string().nullable(),
    name: z.string().nullable(),
    phonePrefix: z.string().optional(),
    phoneNumber: z.string().optional(),
    profilePictureUrl: z.string().optional(),
  })
  .meta({ id: 'Profile' });
export type ProfileView = z.output<typeof profileView>;

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
  })
  .meta({ id: 'User' });
export type UserView = z.output<typeof userView>;

/** What machines see: the identifiers of older systems too. */
export const machineUserView = userView
  .extend({ legacyIds: z.record(z.string(), z.string()) })
  .meta({ id: 'MachineUser' });
export type MachineUserView = z.output<typeof machineUserView>;

export function toProfileView(user: User): ProfileView {
  return {
    id: user.id,
    email: user.email,
    fullName: user.fullName,
    name: user.fullName,
    ...(user.phonePrefix !== null && { phonePrefix: user.phonePrefix }),
    ...(user.phoneNumber !== null && { phoneNumber: user.phoneNumber }),
    ...(user.profilePictureUrl !== null && { profilePictureUrl: user.profilePictureUrl }),
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
    legacyIds: user.legacyIds,
  };
}

/** Stricter than the URL parser, which forgives `https:/x` and drops spaces and line breaks that we would store. */
const HTTP_URL = /^https?:\/\/[^\s\p{Cc}\\]+$/iu;

function isPublicUrl(text: string): boolean {
  if (!HTTP_URL.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
