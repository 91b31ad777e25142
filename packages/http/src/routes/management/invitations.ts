import { invitationFilter, invitationView } from '@latchkey/core/schemas';
import { staff } from '../../callers/staff.js';
import { listRoute } from '../../routing/route.js';

/** The invitations of all companies, for administrators of the platform. */
export const allInvitations = listRoute({
  path: '/internal/invitations',
  operationId: 'listAllInvitations',
  tag: 'Operations',
  summary: 'List the invitations of all companies',
  description:
    'Newest first, in any status. `DELETE /auth/invitations/{id}` cancels one and `POST /auth/invitations/{id}/resend` sends it again, with its company in `x-org`.',
  caller: staff('operate'),
  filter: invitationFilter,
  item: invitationView,
  grows: true,
  handle: ({ auth, query: { limit, offset, cursor, ...filter } }) =>
    auth.admin.invitations.list(filter, { limit, offset, cursor }),
});
