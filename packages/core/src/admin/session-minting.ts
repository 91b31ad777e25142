import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import { MINTED_METHODS } from '../sessions/authentication-methods.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { TokenPair } from '../sessions/session-schema.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased } from '../users/user.js';
import { actorOf, type Administrator } from './administrator.js';

interface SessionMintingDeps {
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly sessionCreator: SessionCreator;
}

/** Creates sessions for users who did not sign in here. */
export class SessionMinting {
  readonly #deps: SessionMintingDeps;

  constructor(deps: SessionMintingDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a session for a user without a sign-in, for a caller that has identified the person otherwise.
   * @throws AuthError `forbidden` for a machine without the scope, `not_found`, `conflict` for an erased user, the sign-in codes.
   */
  async mint(
    administrator: Administrator,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<TokenPair> {
    userId = checkId(userId);
    assertHoldsScope(actorOf(administrator), 'sessions:mint');
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    // A new role would raise the token version, and the session is created for this version only.
    assertMachineMayWriteTo(actorOf(administrator), user);
    assertNotErased(user);
    this.#deps.signInPolicy.assertMaySignIn(user);
    return this.#deps.sessionCreator.create(
      {
        user,
        origin: 'minted',
        amr: MINTED_METHODS,
        acr: 'aal1',
        passwordHash: null,
        audit: { event: 'session_minted', actor: actorOf(administrator) },
      },
      client,
    );
  }
}
