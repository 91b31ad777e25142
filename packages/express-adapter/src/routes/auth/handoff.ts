import { exchangeHandoffInput, handoffCode, handoffTokens } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { signedIn } from '../../callers/signed-in.js';
import { companyContext } from '../../http/request-input.js';
import { route } from '../../http/route.js';

export const createHandoff = route({
  method: 'post',
  path: '/auth/handoff/create',
  summary: 'A single-use code that starts a session elsewhere',
  caller: signedIn,
  headers: companyContext,
  reply: handoffCode,
  handle: ({ auth, caller, headers, client }) => auth.handoff.create(caller, headers['x-org'], client),
});

export const exchangeHandoff = route({
  method: 'post',
  path: '/auth/handoff/exchange',
  summary: 'A session for a hand-off code',
  atMost: '60 unknown codes a minute and address',
  caller: anyone,
  body: exchangeHandoffInput,
  reply: handoffTokens,
  issuesTokens: true,
  handle: ({ auth, body, client }) => auth.handoff.exchange(body.code, client),
});
