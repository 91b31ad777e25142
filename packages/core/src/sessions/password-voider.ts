import type { AuditEventName } from '../audit/audit-event.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';
import type { User } from '../users/user.js';
import type { RevokeReason } from './session.js';

/** The part of the password setter that a sign-in needs which proves the mailbox. */
export interface PasswordVoider {
  voidWithin(
    userId: string,
    cause: {
      reason: RevokeReason;
      event: AuditEventName;
      actor: Actor;
      client: ClientInfo;
      details: Record<string, unknown>;
    },
    trx: Transaction,
  ): Promise<User>;
}
