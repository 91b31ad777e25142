import type { Administrator } from '@latchkey/core';
import { erasedUser, eraseUserInput } from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { people, type Audience } from '../../routing/tag.js';

/** The erasure of a user's personal data, for one of its two mounts. */
export const erasePersonalDataRoute = (
  prefix: string,
  caller: Caller<Administrator>,
  audience: Audience,
): Route =>
  route({
    method: 'delete',
    path: `${prefix}/{id}/personal-data`,
    operationId: audience.named('eraseUser'),
    tag: audience.tagged('Users'),
    summary: 'Erase the personal data of a user',
    description:
      'Overwrites everything personal for good: profile, sign-in, memberships, invitations, mails, and the traces in sessions and the audit log. All sessions end. The id stays as an inactive tombstone that cannot be changed (409 `conflict`, reason `user_erased`); the address is free again. The reason is kept in the audit log, so it must not name the person. A repeated request returns the same.',
    failures: ['not_found', 'conflict'],
    caller,
    ...(audience === people && { stepUp: { maxAge: 'STAFF_STEP_UP' as const } }),
    params: idOf('user'),
    body: eraseUserInput,
    reply: erasedUser,
    handle: ({ auth, caller: administrator, params, body, client }) =>
      auth.admin.erasure.erase(administrator, params.id, body.reason, client),
  });
