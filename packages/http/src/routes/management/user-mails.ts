import { statusOk, userView } from '@latchkey/core/schemas';
import { staff } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';

const user = idOf('user');

/** Mails with links that staff send to users again. */
export const userMailRoutes: Route[] = [
  route({
    method: 'post',
    path: '/internal/users/{id}/password-reset',
    operationId: 'sendPasswordReset',
    tag: 'Users',
    summary: 'Send a user the mail that resets the password',
    description:
      'As the user can request it, with the same limit: at most three mails at once, one more every 20 minutes; others are skipped. 409 for a user who may not sign in, and while mail is not configured.',
    failures: ['not_found', 'conflict'],
    caller: staff('send-mail'),
    params: user,
    reply: statusOk,
    handle: ({ auth, caller, params, client }) => auth.admin.passwords.sendReset(caller, params.id, client),
  }),
  route({
    method: 'post',
    path: '/internal/users/{id}/email-verification',
    operationId: 'sendEmailVerification',
    tag: 'Users',
    summary: 'Send a user the mail that proves the mailbox',
    description:
      'Earlier links stay valid. 409 for a mailbox that is confirmed, for a user who is rejected, deactivated or waits with a role, and while mail is not configured.',
    failures: ['not_found', 'conflict'],
    atMost: 'three an hour and user',
    caller: staff('send-mail'),
    params: user,
    reply: userView,
    handle: ({ auth, caller, params, client }) =>
      auth.admin.emailVerification.resend(caller, params.id, client),
  }),
];
