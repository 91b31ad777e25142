import { outboxFilter, outboxMailView } from '@latchkey/core/schemas';
import { staff } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route } from '../../routing/route.js';

/** The outbox, for administrators of the platform. */
export const mailRoutes: Route[] = [
  listRoute({
    path: '/internal/mail',
    operationId: 'listMail',
    tag: 'Operations',
    summary: 'List the mails of the outbox',
    description: 'Newest first, with state and attempts, and nothing of their content. Filters combine.',
    caller: staff('operate'),
    filter: outboxFilter,
    item: outboxMailView,
    grows: true,
    handle: ({ auth, query: { limit, offset, cursor, ...filter } }) =>
      auth.admin.mail.list(filter, { limit, offset, cursor }),
  }),
  route({
    method: 'post',
    path: '/internal/mail/{id}/retry',
    operationId: 'retryMail',
    tag: 'Operations',
    summary: 'Send a mail of the outbox again',
    description:
      'Makes a mail that waits, or was given up, due now. 409 for a mail that was sent or skipped, and while mail is not configured.',
    failures: ['not_found', 'conflict'],
    caller: staff('operate'),
    params: idOf('mail'),
    reply: outboxMailView,
    handle: ({ auth, caller, params, client }) => auth.admin.mail.retryOne(caller, params.id, client),
  }),
];
