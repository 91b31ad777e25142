import { z } from 'zod';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { toIdentityView, type ExternalIdentityView } from './external-schema.js';
import type { IdentityRemoval } from './identity-removal.js';

/** Reply of the removal of an identity by an operator. */
const unlinkedIdentity = z.object({
  status: z.literal('ok'),
  /** Active sessions that the identity had opened, and that ended. */
  revoked: z.int().min(0),
});

interface IdentityAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly identities: ExternalIdentityRepository;
  readonly identityRemoval: IdentityRemoval;
  /** The names of connections, by their ids; undefined if the settings name none. */
  readonly connectionLabels: ReadonlyMap<string, string> | undefined;
}

/** Manages the accounts at other services of other users, for trusted actors. Works while no provider is configured, too. */
export class IdentityAdministration {
  readonly #deps: IdentityAdministrationDeps;

  constructor(deps: IdentityAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns the identities of a user, the oldest first. @throws AuthError `not_found` for an unknown user. */
  async listOfUser(userId: string): Promise<ExternalIdentityView[]> {
    userId = checkId(userId, 'userId');
    if (!(await this.#deps.users.findById(userId))) throw unknownUser();
    const labels = this.#deps.connectionLabels;
    const found = await this.#deps.identities.list(userId);
    return found.map((identity) => toIdentityView(identity, labels?.get(identity.connectionId) ?? null));
  }

  /**
   * Removes an identity of a user, ends the sessions that it opened, and notifies the user by mail. Where the settings name no provider,
   * every other identity counts as a way to sign in, and passkeys always do.
   * @throws AuthError `forbidden` for a machine without the scope for passwords, `not_found`, `conflict` for the last way to sign in.
   */
  async unlink(
    actor: TrustedActor,
    { userId, identityId }: { userId: string; identityId: string },
    client: ClientInfo = unknownClient,
  ): Promise<z.output<typeof unlinkedIdentity>> {
    userId = checkId(userId, 'userId');
    const id = checkId(identityId, 'identityId');
    assertHoldsScope(actor, 'users:privileged');
    const labels = this.#deps.connectionLabels;
    const ways = { connectionIds: labels && [...labels.keys()], passkeys: true };
    const revoked = await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (!user) throw unknownUser();
      const target = { id, user, actor, client, ways, labels: labels ?? new Map<string, string>() };
      return this.#deps.identityRemoval.removeWithin(target, trx);
    });
    return { status: 'ok', revoked };
  }
}

const unknownUser = (): AuthError => AuthError.notFound('The user', 'user_not_found');
