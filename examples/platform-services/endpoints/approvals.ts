import { z } from 'zod';
import { endpoint } from '../endpoint.js';

export const approve = endpoint({
  method: 'post',
  path: '/approval/{id}/approve',
  lists: [400, 401, 403],
  query: z.object({}),
  body: { schema: z.object({ notes: z.string().max(2000).optional() }), required: false },
  handle: ({ data, id, body: { notes }, caller }) => {
    const approval = data.approvals.get(id);
    // The first approval counts: repeating it changes nothing.
    if (approval?.status !== 'PENDING') return approval;
    return Object.assign(approval, {
      status: 'APPROVED',
      approvedByUserId: caller.userId,
      ...(notes !== undefined && { notes }),
    });
  },
});
