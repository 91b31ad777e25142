import type { Administrator } from '@latchkey/core';
import { userContext } from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import type { Audience } from '../../routing/tag.js';

/** A user with every membership. On the Bearer path the internal key is accepted too. */
export const contextRoute = (prefix: string, caller: Caller<Administrator>, audience: Audience): Route =>
  route({
    method: 'get',
    path: `${prefix}/{id}/context`,
    operationId: audience.named('getUserContext'),
    tag: audience.tagged('Users'),
    summary: 'Get a user with all memberships',
    description: 'The user, the memberships of companies and those of business units.',
    failures: ['not_found'],
    caller,
    params: idOf('user'),
    reply: userContext,
    handle: ({ auth, params }) => auth.admin.users.context(params.id),
  });
