import { verifiedApiKey, verifyApiKeyInput } from '@latchkey/core/schemas';
import { machineWith } from '../../callers/machine-with.js';
import { route } from '../../routing/route.js';

/** The verification of an API key for another service. */
export const verifyApiKey = route({
  method: 'post',
  path: '/internal/api-keys/verify',
  operationId: 'verifyApiKey',
  tag: 'API keys',
  summary: 'Verify an API key that was presented to another service',
  description:
    'With the internal key, or a service token of the scope `api-keys:verify`. `active` is false for a key that is unknown, expired, revoked or of another company, and then nothing else is said (RFC 7662 section 2.2). 429 after 60 unknown keys a minute of one address.',
  failures: ['rate_limited'],
  offered: ({ settings }) => settings.apiKeys.mode !== 'off',
  caller: machineWith('api-keys:verify'),
  body: verifyApiKeyInput,
  reply: verifiedApiKey,
  handle: ({ auth, body, client }) => auth.apiKeys.verification.verify(body, client),
});
