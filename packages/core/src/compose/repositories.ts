import { ModuleRuleRepository } from '../access/module-rule-repository.js';
import { AuditListRepository } from '../audit/audit-list-repository.js';
import { AuditRepository } from '../audit/audit-repository.js';
import type { AuthEvents } from '../audit/auth-events.js';
import { HandoffRepository } from '../handoff/handoff-repository.js';
import { InvitationQueries } from '../invitations/invitation-queries.js';
import { InvitationRepository } from '../invitations/invitation-repository.js';
import { InviterRepository } from '../invitations/inviter-repository.js';
import { ApprovalNoticeRepository } from '../login/approval-notice-repository.js';
import { OutboxListRepository } from '../mail/outbox-list-repository.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { RetentionRepository } from '../maintenance/retention-repository.js';
import { FinanceRepository } from '../memberships/finance-repository.js';
import { MembershipQueries } from '../memberships/membership-queries.js';
import { MembershipRepository } from '../memberships/membership-repository.js';
import { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import { PasskeyQueries } from '../passkeys/passkey-queries.js';
import { PasskeyRepository } from '../passkeys/passkey-repository.js';
import { ConfirmationRepository } from '../sessions/confirmation-repository.js';
import { RotationRepository } from '../sessions/rotation-repository.js';
import { SessionQueries } from '../sessions/session-queries.js';
import { SessionRepository } from '../sessions/session-repository.js';
import { SessionTreeRepository } from '../sessions/session-tree-repository.js';
import type { Database } from '../storage/database.js';
import { EmailVerificationRepository } from '../users/email-verification-repository.js';
import { PasswordHashRepository } from '../users/password-hash-repository.js';
import { PasswordResetRepository } from '../users/password-reset-repository.js';
import { UserRepository } from '../users/user-repository.js';

export type Repositories = ReturnType<typeof createRepositories>;

/**
 * Creates every repository of the authentication database, once, under the names by which services take them.
 * @param events is notified of each audit row after its commit.
 */
export function createRepositories(database: Database, events: AuthEvents) {
  const audit = new AuditRepository(database, events);
  const users = new UserRepository(database);
  const membershipWrites = new MembershipWriteRepository();
  return {
    database,
    audit,
    auditLists: new AuditListRepository(database),
    users,
    hashes: new PasswordHashRepository(database),
    sessions: new SessionRepository(database, audit),
    trees: new SessionTreeRepository(database),
    rotations: new RotationRepository(database),
    sessionQueries: new SessionQueries(database),
    confirmations: new ConfirmationRepository(database, audit),
    memberships: new MembershipRepository(database),
    membershipWrites,
    membershipQueries: new MembershipQueries(database),
    finance: new FinanceRepository(),
    rules: new ModuleRuleRepository(database),
    invitations: new InvitationRepository(database),
    invitationQueries: new InvitationQueries(database),
    inviters: new InviterRepository({ database, users, membershipWrites }),
    passkeys: new PasskeyRepository(database),
    passkeyQueries: new PasskeyQueries(database),
    resets: new PasswordResetRepository(database),
    verifications: new EmailVerificationRepository(database),
    handoffs: new HandoffRepository(),
    approvalNotices: new ApprovalNoticeRepository(database),
    mails: new OutboxRepository(database),
    mailLists: new OutboxListRepository(database),
    rows: new RetentionRepository(database),
  };
}
