import { AuthError } from '../kernel/auth-error.js';
import { toCompanyMembership, type CompanyMembershipRow } from '../memberships/membership-row.js';
import type { MembershipState } from '../memberships/membership.js';
import { maySignIn, type User } from '../users/user.js';
import { mayStillOffer, type Invitation, type Invitee, type Inviter } from './invitation.js';

/** The users that a change of an invitation is about, with their memberships of its company. */
export class InvitationParties {
  readonly #users: ReadonlyMap<string, User>;
  readonly #places: ReadonlyMap<string, MembershipState>;
  readonly #memberships: CompanyMembershipRow[];

  constructor(
    users: ReadonlyMap<string, User>,
    places: ReadonlyMap<string, MembershipState>,
    memberships: CompanyMembershipRow[],
  ) {
    this.#users = users;
    this.#places = places;
    this.#memberships = memberships;
  }

  user(userId: string): User | undefined {
    return this.#users.get(userId);
  }

  /** Undefined for a user who may no longer sign in. */
  inviter(userId: string): Inviter | undefined {
    const user = this.#users.get(userId);
    return (
      user &&
      inviterOf(
        user,
        this.#memberships.find((row) => row.user_id === userId),
      )
    );
  }

  /** @throws AuthError `forbidden` for a user who may no longer sign in. */
  caller(userId: string): Inviter {
    const inviter = this.inviter(userId);
    if (!inviter) throw AuthError.forbidden();
    return inviter;
  }

  /** Undefined for an email without an account. */
  invitee(userId: string | undefined): Invitee | undefined {
    const user = userId === undefined ? undefined : this.#users.get(userId);
    return user && { user, place: this.#places.get(user.id) };
  }

  /**
   * An invitation without an inviter was not made by a user: no role binds it.
   * @throws AuthError `conflict` when the inviter may no longer offer this, or not to this person.
   */
  assertStillOffered(invitation: Invitation, inviteeId?: string): void {
    if (invitation.invitedByUserId === null) return;
    const inviter = this.inviter(invitation.invitedByUserId);
    if (!mayStillOffer(inviter, invitation, this.invitee(inviteeId))) throw withdrawn();
  }
}

/** Undefined for a user who may no longer sign in. */
export function inviterOf(user: User, row: CompanyMembershipRow | undefined): Inviter | undefined {
  if (!maySignIn(user)) return undefined;
  return { userId: user.id, globalRole: user.globalRole, membership: row && toCompanyMembership(row) };
}

const withdrawn = (): AuthError =>
  AuthError.conflict(
    'This invitation was withdrawn: the inviter may no longer offer it. Ask for a new one.',
    'invitation_withdrawn',
  );
