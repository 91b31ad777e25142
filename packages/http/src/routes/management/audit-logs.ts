import type { Administrator } from '@latchkey/core';
import { auditEntryView, auditListInput } from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { cursorRoute, type Route } from '../../routing/route.js';
import { people, type Audience } from '../../routing/tag.js';

/** The audit log, for one of its two mounts. */
export const auditLogsRoute = (prefix: string, caller: Caller<Administrator>, audience: Audience): Route =>
  cursorRoute({
    path: `${prefix}/audit-logs`,
    operationId: audience.named('listAuditEntries'),
    tag: audience === people ? 'Operations' : 'Audit log',
    summary: 'List the audit log',
    description:
      'Newest first. The cursor of the next page is in `X-Next-Cursor`; the last page has none. With `tail=true` the list ' +
      'follows the log: entries are oldest first, every response has a cursor, and with it the next response has what was ' +
      'committed since. None is skipped; an entry may repeat, so compare ids.',
    caller,
    filter: auditListInput,
    item: auditEntryView,
    handle: ({ auth, query: { limit, cursor, tail, ...filter } }) =>
      auth.admin.audit.list(filter, { limit, cursor, tail }),
  });
