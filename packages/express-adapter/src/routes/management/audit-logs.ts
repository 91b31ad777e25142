import { auditEntryView, auditFilter } from '@latchkey/core/schemas';
import { internalKey } from '../../callers/internal-key.js';
import { cursorRoute } from '../../http/route.js';

export const auditLogs = cursorRoute({
  path: '/internal/admin/audit-logs',
  summary: 'The audit log, newest first',
  caller: internalKey,
  filter: auditFilter,
  item: auditEntryView,
  handle: ({ auth, query: { limit, cursor, ...filter } }) => auth.auditLog.list(filter, { limit, cursor }),
});
