import { activityQuery, activityView } from '@latchkey/core/schemas';
import { staff } from '../../callers/staff.js';
import { route } from '../../routing/route.js';

/** The numbers of the overview, for administrators of the platform. */
export const activity = route({
  method: 'get',
  path: '/internal/activity',
  operationId: 'getActivity',
  tag: 'Operations',
  summary: 'Get sign-ins and registrations by day',
  description:
    'Sign-ins, failed sign-ins, registrations and signed-in users by day in UTC, counted from the audit log within about a ' +
    'minute and kept when its entries are removed; and the IP addresses with failed sign-ins in the last 24 hours.',
  caller: staff('operate'),
  query: activityQuery,
  reply: activityView,
  handle: ({ auth, query }) => auth.admin.activity.read(query),
});
