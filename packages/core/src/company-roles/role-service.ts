import type { Actor } from '../kernel/actor.js';
import { checkInput } from '../kernel/check-input.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import { CREDENTIAL_MAX_AGE } from '../sessions/session-schema.js';
import { staleSignIn, type SignInFacts } from '../sessions/sign-in-freshness.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { RoleScope } from './company-role-repository.js';
import {
  roleInput,
  roleRemovalInput,
  type ListedRoleView,
  type RemovedRoleView,
  type RoleInput,
  type RoleRemovalInput,
  type SavedRoleView,
} from './company-role-schema.js';
import { checkScope, type RoleAdministration } from './role-administration.js';

/** The editor of a role. People need their sign-in: roles are changed after a recent one only. */
export type RoleEditor =
  | (Extract<Actor, { kind: 'user' }> & {
      sessionId?: string | undefined;
      signIn?: (SignInFacts & { acr?: AuthenticationLevel | undefined }) | undefined;
    })
  | Exclude<Actor, { kind: 'user' }>;

/** Defines roles for signed-in administrators, who have proved their identity in the last 15 minutes, and for machines. */
export class RoleService {
  readonly #deps;

  constructor(deps: {
    readonly roleAdministration: RoleAdministration;
    readonly credentialStepUp: Pick<CredentialStepUp, 'assert'>;
  }) {
    this.#deps = deps;
  }

  /** Returns the definitions in effect in a company; null: all templates. The caller of the route decides who may read. */
  list(companyId: string | null): Promise<ListedRoleView[]> {
    return this.#deps.roleAdministration.list(companyId);
  }

  /** Defines a role. @throws AuthError `reauthentication_required`, and as `RoleAdministration.save`. */
  async save(
    editor: RoleEditor,
    role: RoleScope,
    input: RoleInput,
    client?: ClientInfo,
  ): Promise<SavedRoleView> {
    checkScope(role);
    checkInput(roleInput, input);
    await this.#assertRecent(editor);
    return this.#deps.roleAdministration.save(actorOf(editor), role, input, client);
  }

  /** Removes a definition. @throws AuthError `reauthentication_required`, and as `RoleAdministration.remove`. */
  async remove(
    editor: RoleEditor,
    role: RoleScope,
    input: RoleRemovalInput = {},
    client?: ClientInfo,
  ): Promise<RemovedRoleView> {
    checkScope(role);
    checkInput(roleRemovalInput, input);
    await this.#assertRecent(editor);
    return this.#deps.roleAdministration.remove(actorOf(editor), role, input, client);
  }

  async #assertRecent(editor: RoleEditor): Promise<void> {
    if (editor.kind !== 'user') return;
    const { userId, sessionId = '', signIn, act } = editor;
    if (!signIn) throw staleSignIn(CREDENTIAL_MAX_AGE);
    const { authTime, amr, acr = 'aal1' } = signIn;
    await this.#deps.credentialStepUp.assert({ userId, sessionId, authTime, amr, acr, act }, 'sign-in');
  }
}

const actorOf = (editor: RoleEditor): Actor =>
  editor.kind === 'user' ? { kind: 'user', userId: editor.userId, act: editor.act } : editor;
