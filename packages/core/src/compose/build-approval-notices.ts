import { ApprovalNoticeRepository } from '../login/approval-notice-repository.js';
import { ApprovalNotices } from '../login/approval-notices.js';
import type { Settings } from '../settings/settings.js';
import type { Records } from './build-records.js';
import type { Infrastructure } from './infrastructure.js';

/** What tells operators that registrations wait; the composer learns who counts them. */
export function buildApprovalNotices(
  { registration }: Settings,
  { database, users }: Records,
  { outbox, mail }: Pick<Infrastructure, 'outbox' | 'mail'>,
): ApprovalNotices {
  const notices = new ApprovalNoticeRepository(database);
  const service = new ApprovalNotices({ users, notices, outbox, recipients: registration.noticeTo });
  mail.composer.register('approval_waiting', () => service.count());
  return service;
}
