import type { ClientInfo } from '../kernel/client-info.js';
import type { Delegation } from '../memberships/membership.js';
import type { ProfileField } from '../users/profile-fields.js';
import type { AuthProvider, User } from '../users/user.js';

/** The user who registers, checked and as it will be written; never the password. */
export interface RegistrationAttempt extends Partial<Record<ProfileField, string | undefined>> {
  /** Canonical form. */
  email: string;
  fullName: string;
  authProvider: AuthProvider;
}

/**
 * A sign-in: the user and the method. A new user who accepts an invitation has an id that first exists with
 * the session.
 */
export interface LoginAttempt {
  user: Readonly<Pick<User, 'id' | 'email' | 'fullName' | 'globalRole'>>;
  /** `password`, `passkey`, `handoff`, `invitation`, `external`, `mail`, or the app's name of its own way in. */
  method: string;
  /** The connection of a sign-in by another service. */
  connectionId?: string;
}

/** An account of another service that is to be linked to a user, by which they then sign in. */
export interface LinkAttempt {
  user: LoginAttempt['user'];
  /** The connection, as the settings name it. */
  connectionId: string;
}

/** An invitation: the invited user, the company, the offer and the inviting user. */
export interface InvitationAttempt {
  /** True if an existing invitation is sent again. */
  isResend: boolean;
  /** Canonical form. */
  email: string;
  companyId: string;
  role: string;
  moduleGrants: readonly string[];
  permissionGrants: readonly string[];
  delegation: Readonly<Delegation>;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The language of the mail, if the inviting user chose one. */
  locale?: string | undefined;
  invitedByUserId: string;
}

/**
 * Functions of a host app that are called before an action. Returning allows the action; throwing an
 * `AuthError` rejects it with that code and message; any other error, and three seconds without an answer,
 * reject it as an internal failure.
 */
export interface BeforeHooks {
  /** Before a registration, once its input and password are valid. */
  register?:
    | ((attempt: Readonly<RegistrationAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>)
    | undefined;
  /** Before a session of a user is created, once the user is authenticated and may sign in. */
  login?:
    | ((attempt: Readonly<LoginAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>)
    | undefined;
  /** Before an account of another service is linked to a user, once the provider has proved it. */
  link?: ((attempt: Readonly<LinkAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>) | undefined;
  /** Before an invitation is created or sent again, once the permission to invite is checked. */
  invitation?:
    | ((attempt: Readonly<InvitationAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>)
    | undefined;
}

export const HOOK_NAMES = [
  'register',
  'login',
  'link',
  'invitation',
] as const satisfies (keyof BeforeHooks)[];
