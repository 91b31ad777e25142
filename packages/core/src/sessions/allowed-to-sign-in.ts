import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { User } from '../users/user.js';

/**
 * Throws unless the user, whose first factor was right, may sign in; the refusal is audited with these details and its reason.
 * @throws AuthError the sign-in codes.
 */
export async function assertAllowedToSignIn(
  { signInPolicy, audit }: { readonly signInPolicy: SignInPolicy; readonly audit: AuditRepository },
  user: User,
  { client, details }: { client: ClientInfo; details: Record<string, unknown> },
): Promise<void> {
  try {
    signInPolicy.assertMaySignIn(user);
  } catch (error) {
    const reason = AuthError.is(error) ? error.code : 'unknown';
    await audit.insert({
      event: 'login',
      outcome: 'denied',
      actor: { kind: 'anonymous' },
      subjectUserId: user.id,
      client,
      details: { ...details, reason },
    });
    throw error;
  }
}
