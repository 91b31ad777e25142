import type { ClientInfo } from '../kernel/client-info.js';
import type { SignInMethod } from '../kernel/observer.js';
import type { Delegation } from '../memberships/membership.js';
import type { AuthProvider, User } from '../users/user.js';

/**
 * Who registers, checked and as it will be written; never the password.
 * @example
 * ```ts
 * const isOurs = ({ email }: RegistrationAttempt): boolean => email.endsWith('@acme.example');
 * isOurs({ email: 'ann@acme.example', fullName: 'Ann', authProvider: 'password' }); // → true
 * ```
 */
export interface RegistrationAttempt {
  /** Canonical form. */
  email: string;
  fullName: string;
  phonePrefix?: string | undefined;
  phoneNumber?: string | undefined;
  profilePictureUrl?: string | undefined;
  authProvider: AuthProvider;
}

/**
 * Who signs in, and how. Whoever accepts an invitation as somebody new has an id that begins to exist with the session.
 * @example
 * ```ts
 * const needsPasskey = ({ user, method }: LoginAttempt): boolean =>
 *   user.globalRole !== 'NONE' && method !== 'passkey';
 * const user = { id: crypto.randomUUID(), email: 'ann@acme.example', fullName: 'Ann', globalRole: 'NONE' } as const;
 * needsPasskey({ user, method: 'password' }); // → false
 * ```
 */
export interface LoginAttempt {
  user: Readonly<Pick<User, 'id' | 'email' | 'fullName' | 'globalRole'>>;
  method: SignInMethod;
}

/**
 * Who is invited, where, to what, and by whom.
 * @example
 * ```ts
 * const seats = new Map([['acme', 1]]);
 * function assertSeat({ companyId, isResend }: InvitationAttempt): void {
 *   if (!isResend && (seats.get(companyId) ?? 0) === 0) throw AuthError.conflict('All seats are taken.');
 * }
 * const before: BeforeHooks = { invitation: assertSeat };
 * Object.keys(before); // → ['invitation']
 * ```
 */
export interface InvitationAttempt {
  /** True when an invitation that exists already is sent anew. */
  isResend: boolean;
  /** Canonical form. */
  email: string;
  companyId: string;
  role: string;
  moduleGrants: readonly string[];
  permissionGrants: readonly string[];
  delegation: Readonly<Delegation>;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  invitedByUserId: string;
}

/**
 * What a host app says before something happens. Returning lets it happen; throwing an `AuthError` refuses it with that
 * code and message; anything else that is thrown, and three seconds without an answer, refuse it as our failure.
 * @example
 * ```ts
 * const before: BeforeHooks = {
 *   login({ user, method }) {
 *     const isStaff = user.globalRole !== 'NONE';
 *     if (isStaff && method !== 'passkey') throw AuthError.forbidden('Staff sign in with a passkey.');
 *   },
 * };
 * const own = await createTestAuth({ before, databaseUrl: kit.databaseUrl });
 * const { email, password } = await own.user();
 * (await own.auth.login.withPassword({ email, password })).tokenType; // → 'Bearer'
 * await own.close();
 * ```
 */
export interface BeforeHooks {
  /** Before a registration, once its input and password are found good. */
  register?:
    | ((attempt: Readonly<RegistrationAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>)
    | undefined;
  /** Before a person's session begins, once they have proved who they are and may sign in. */
  login?:
    ((attempt: Readonly<LoginAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>) | undefined;
  /** Before somebody's invitation is created or sent anew, once their right to invite is checked. */
  invitation?:
    | ((attempt: Readonly<InvitationAttempt>, client: Readonly<ClientInfo>) => void | Promise<void>)
    | undefined;
}

export const HOOK_NAMES = ['register', 'login', 'invitation'] as const satisfies (keyof BeforeHooks)[];
export type HookName = (typeof HOOK_NAMES)[number];
