import { AuthError } from '../kernel/auth-error.js';
import { toCompanyMembership, type CompanyMembershipRow } from '../memberships/membership-row.js';
import type { MembershipState, RoleContents } from '../memberships/membership.js';
import { maySignIn, type User } from '../users/user.js';
import { mayStillOffer, type Invitation, type Invitee, type Inviter } from './invitation.js';

/** The membership of an inviter, with the definition of `MEMBER` in its company. */
export interface InviterRow extends CompanyMembershipRow {
  member_role: RoleContents | null;
}

/** The users involved in a change of an invitation, with their memberships of its company. */
export class InvitationParties {
  readonly #users: ReadonlyMap<string, User>;
  readonly #memberships: ReadonlyMap<string, MembershipState>;
  readonly #rows: InviterRow[];

  constructor(
    users: ReadonlyMap<string, User>,
    memberships: ReadonlyMap<string, MembershipState>,
    rows: InviterRow[],
  ) {
    this.#users = users;
    this.#memberships = memberships;
    this.#rows = rows;
  }

  user(userId: string): User | undefined {
    return this.#users.get(userId);
  }

  /** Returns a user as inviter; undefined for one who may no longer sign in. */
  inviter(userId: string): Inviter | undefined {
    const user = this.#users.get(userId);
    return (
      user &&
      inviterOf(
        user,
        this.#rows.find((row) => row.user_id === userId),
      )
    );
  }

  /** Returns the caller as inviter. @throws AuthError `forbidden` for a user who may no longer sign in. */
  caller(userId: string): Inviter {
    const inviter = this.inviter(userId);
    if (!inviter) throw AuthError.forbidden();
    return inviter;
  }

  /** Returns the invited user; undefined for an email without an account. */
  invitee(userId: string | undefined): Invitee | undefined {
    const user = userId === undefined ? undefined : this.#users.get(userId);
    return user && { user, membership: this.#memberships.get(user.id) };
  }

  /**
   * Throws if the inviter may no longer make the offer. An invitation without an inviter was not made by a
   * user: no role limits it.
   * @throws AuthError `conflict` when the inviter may no longer offer this, or not to this person.
   */
  assertStillOffered(invitation: Invitation, inviteeId?: string): void {
    if (invitation.invitedByUserId === null) return;
    const inviter = this.inviter(invitation.invitedByUserId);
    if (!mayStillOffer(inviter, invitation, this.invitee(inviteeId))) throw withdrawn();
  }
}

/** Returns a user as inviter; undefined for one who may no longer sign in. */
export function inviterOf(user: User, row: InviterRow | undefined): Inviter | undefined {
  if (!maySignIn(user)) return undefined;
  const { id: userId, globalRole } = user;
  return {
    userId,
    globalRole,
    membership: row && toCompanyMembership(row),
    memberRole: row?.member_role ?? undefined,
  };
}

const withdrawn = (): AuthError =>
  AuthError.conflict(
    'This invitation was withdrawn: the inviter may no longer offer it. Ask for a new one.',
    'invitation_withdrawn',
  );
