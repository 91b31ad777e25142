import { auditEntryView, auditFilter } from '@latchkey/core/schemas';
import { internalKey } from '../../callers/internal-key.js';
import { cursorRoute } from '../../http/route.js';

export const auditLogs = cursorRoute({
  path: '/internal/admin/audit-logs',
  operationId: 'listAuditEntries',
  tag: 'Audit log',
  summary: 'List the audit log',
  description: 'Newest first. The cursor of the next page is in `X-Next-Cursor`; the last page has none.',
  caller: internalKey,
  filter: auditFilter,
  item: auditEntryView,
  handle: ({ auth, query: { limit, cursor, ...filter } }) => auth.admin.audit.list(filter, { limit, cursor }),
});
