// Entry point for programs that need the lists of names alone: roles, statuses, kinds, modes. It loads no library.
export { ACCESS_POLICY_MODES } from './access/entitlements.js';
export { initialOf } from './kernel/initial.js';
export { LOCALES, directionOf, isLocale, type Locale } from './kernel/locale.js';
export { INVITATION_STATUSES } from './invitations/invitation-status.js';
export { MAIL_KINDS } from './mail/mail-kind.js';
export { OUTBOX_STATES } from './mail/outbox-mail.js';
export { PROFILE_FIELDS, type ProfileField } from './users/profile-fields.js';
export { AUTHENTICATION_LEVELS } from './tokens/authentication-level.js';
export { APPROVAL_STATUSES, GLOBAL_ROLES, USER_SORTS } from './users/user.js';
