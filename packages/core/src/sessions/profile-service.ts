import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import { toMembershipViews } from '../memberships/membership-schema.js';
import type { Database } from '../storage/database.js';
import { changedFields } from '../users/changed-fields.js';
import { filledProfile } from '../users/profile-fields.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  emailVerifiedAtOf,
  profilePatchInput,
  toProfileView,
  type ProfilePatch,
  type ProfileView,
} from '../users/user-schema.js';
import type { User } from '../users/user.js';
import type { OwnProfile } from './own-profile-schema.js';
import type { SessionQueries } from './session-queries.js';
import type { SignedInMember } from './session.js';

/** Reads and changes the profile of the signed-in user. */
export class ProfileService {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly users: UserRepository;
    readonly audit: AuditRepository;
    readonly sessionQueries: Pick<SessionQueries, 'currentActor'>;
  }) {
    this.#deps = deps;
  }

  /**
   * Returns the reply of `GET /auth/me`; user and session were read by the check of the access token. Only who acts for the user is
   * read here.
   */
  async own(caller: SignedInMember): Promise<OwnProfile> {
    const profile = this.#profileOf(caller);
    const actor = caller.act && (await this.#deps.sessionQueries.currentActor(caller.sessionId));
    return actor ? { ...profile, actor: { ...actor, until: actor.until.toISOString() } } : profile;
  }

  /** Returns the profile of the owner of an API key. A key has no role, and says nothing about memberships. */
  ofKey({ user, sessionId }: { user: User; sessionId: string }): OwnProfile {
    const memberships = { companies: [], businessUnits: [] };
    return { ...this.#profileOf({ user, sessionId, memberships }), globalRole: 'NONE', roles: [] };
  }

  /**
   * Changes the profile.
   * @throws AuthError `validation_error`, `unauthorized` when the user no longer exists.
   */
  async update(
    userId: string,
    input: ProfilePatch,
    client: ClientInfo = unknownClient,
  ): Promise<ProfileView> {
    userId = checkId(userId, 'userId');
    const patch = checkInput(profilePatchInput, input);
    return this.#deps.database.transaction(async (trx) => {
      const current = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (!current || current.erasedAt) throw AuthError.unauthorized();
      const user = await this.#deps.users.update(userId, patch, { raiseTokenVersion: false }, trx);
      await this.#deps.audit.insert(
        {
          event: 'profile_updated',
          outcome: 'success',
          actor: { kind: 'user', userId },
          subjectUserId: userId,
          client,
          details: { fields: changedFields(patch) },
        },
        trx,
      );
      return toProfileView(user);
    });
  }

  #profileOf(caller: Pick<SignedInMember, 'user' | 'memberships' | 'sessionId'>): OwnProfile {
    const { user } = caller;
    const views = toMembershipViews(caller.memberships);
    const membershipRoles = views.companyMemberships.map((membership) => membership.role);
    const globalRole = user.globalRole === 'NONE' ? [] : [user.globalRole];
    return {
      id: user.id,
      email: user.email,
      name: user.fullName,
      ...filledProfile(user),
      phonePrefix: user.phonePrefix,
      phoneNumber: user.phoneNumber,
      ...emailVerifiedAtOf(user),
      sessionId: caller.sessionId,
      globalRole: user.globalRole,
      roles: [...new Set([...globalRole, ...membershipRoles])],
      tokenVersion: user.tokenVersion,
      vendorId: null,
      vendorRole: null,
      ...views,
    };
  }
}
