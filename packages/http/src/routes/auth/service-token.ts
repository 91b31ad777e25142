import { z } from 'zod';
import { serviceTokenInput, serviceTokenView } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { basicCredentials } from '../../callers/basic-credentials.js';
import { route } from '../../routing/route.js';

export const issueServiceToken = route({
  method: 'post',
  path: '/auth/service-token',
  operationId: 'issueServiceToken',
  tag: 'Service tokens',
  summary: 'Get a token for a service',
  description: 'Send client id and secret in the body or as HTTP Basic. Send the token in `X-Service-Token`.',
  failures: ['unauthorized', 'forbidden'],
  limit: 'public-login',
  caller: anyone,
  headers: z.object({ authorization: z.string().optional() }),
  body: serviceTokenInput,
  bodyOptional: true,
  reply: serviceTokenView,
  handle: ({ auth, headers, body, client }) =>
    auth.serviceTokens.issue({ ...body, ...basicCredentials(headers.authorization) }, client),
});
