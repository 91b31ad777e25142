import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { User } from '../users/user.js';
import type { BeforeHooks, InvitationAttempt, RegistrationAttempt } from './before-hooks.js';
import { runHook } from './run-hook.js';

/** Runs the host app's hooks and records their refusals. Never called within a transaction: hooks take time. */
export class BeforeHookRunner {
  readonly #hooks: BeforeHooks;
  readonly #audit: AuditRepository;

  constructor(hooks: BeforeHooks, audit: AuditRepository) {
    // A copy: the hooks that were checked at construction are the ones that run.
    this.#hooks = { ...hooks };
    this.#audit = audit;
  }

  /** @throws AuthError the refusal of the hook. */
  async register(attempt: RegistrationAttempt, client: ClientInfo): Promise<void> {
    const { register } = this.#hooks;
    if (!register) return;
    await this.#audited(runHook('register', register, attempt, client), (details) => ({
      event: 'registration',
      actor: { kind: 'anonymous' },
      client,
      details,
    }));
  }

  /** @throws AuthError the refusal of the hook. */
  async login(
    { id, email, fullName, globalRole }: Pick<User, 'id' | 'email' | 'fullName' | 'globalRole'>,
    { method, companyId, connectionId }: { method: string; companyId?: string; connectionId?: string },
    client: ClientInfo,
  ): Promise<void> {
    const { login } = this.#hooks;
    if (!login) return;
    const attempt = {
      user: Object.freeze({ id, email, fullName, globalRole }),
      method,
      ...(connectionId !== undefined && { connectionId }),
    };
    await this.#audited(runHook('login', login, attempt, client), (details) => ({
      event: 'login',
      actor: { kind: 'anonymous' },
      subjectUserId: id,
      companyId,
      client,
      details: { method, ...details },
    }));
  }

  /** @throws AuthError the refusal of the hook. */
  async link(
    { id, email, fullName, globalRole }: Pick<User, 'id' | 'email' | 'fullName' | 'globalRole'>,
    { connectionId }: { connectionId: string },
    client: ClientInfo,
  ): Promise<void> {
    const { link } = this.#hooks;
    if (!link) return;
    const attempt = { user: Object.freeze({ id, email, fullName, globalRole }), connectionId };
    await this.#audited(runHook('link', link, attempt, client), (details) => ({
      event: 'external_identity_link_refused',
      actor: { kind: 'anonymous' },
      subjectUserId: id,
      client,
      details: { connectionId, ...details },
    }));
  }

  /** True if there is a hook for invitations, so that its input must be read. */
  get asksAboutInvitations(): boolean {
    return this.#hooks.invitation !== undefined;
  }

  /** @throws AuthError the refusal of the hook. */
  async invitation(attempt: InvitationAttempt, client: ClientInfo): Promise<void> {
    const { invitation } = this.#hooks;
    if (!invitation) return;
    await this.#audited(runHook('invitation', invitation, jsonCopy(attempt), client), (details) => ({
      event: 'access_denied',
      actor: { kind: 'user', userId: attempt.invitedByUserId },
      companyId: attempt.companyId,
      client,
      details: { what: attempt.isResend ? 'invitation_resent' : 'invitation_created', ...details },
    }));
  }

  /** Records a refusal in the audit log. A hook that failed has refused nothing: the error is logged only. */
  async #audited(
    answer: Promise<void>,
    describe: (details: { reason: string; by: 'hook' }) => Omit<AuditEvent, 'outcome'>,
  ): Promise<void> {
    try {
      await answer;
    } catch (error) {
      if (AuthError.is(error) && !FAILURES.includes(error.code)) {
        await this.#audit.insert({ ...describe({ reason: error.code, by: 'hook' }), outcome: 'denied' });
      }
      throw error;
    }
  }
}

const jsonCopy = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const FAILURES: readonly string[] = ['internal_error', 'service_unavailable'];
