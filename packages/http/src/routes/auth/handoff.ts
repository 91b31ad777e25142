import { exchangeHandoffInput, handoffCode, handoffTokens } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { member } from '../../callers/signed-in.js';
import { companyContext } from '../../exchange/request-input.js';
import { route } from '../../routing/route.js';
import { SIGN_IN_FAILURES } from './sign-in-failures.js';

export const createHandoff = route({
  method: 'post',
  path: '/auth/handoff/create',
  operationId: 'createHandoffCode',
  tag: 'Hand-off',
  summary: 'Create a hand-off code',
  description:
    'Another client can exchange the code once, within a short time, for a session of its own. That session belongs to the company of `x-org` and ends with the session that created the code.',
  failures: ['forbidden'],
  refusedWhileActing: true,
  caller: member,
  headers: companyContext,
  reply: handoffCode,
  handle: ({ auth, caller, headers, client }) => auth.handoff.create(caller, headers['x-org'], client),
});

export const exchangeHandoff = route({
  method: 'post',
  path: '/auth/handoff/exchange',
  operationId: 'exchangeHandoffCode',
  tag: 'Hand-off',
  summary: 'Exchange a hand-off code for a session',
  description: '401 for a code that is invalid, used or expired.',
  failures: [...SIGN_IN_FAILURES, 'session_revoked', 'forbidden'],
  atMost: '60 unknown codes per minute and address',
  caller: anyone,
  body: exchangeHandoffInput,
  reply: handoffTokens,
  issuesTokens: true,
  handle: ({ auth, body, client }) => auth.handoff.exchange(body.code, client),
});
