import { boolean, duration, text } from '../kinds/plain-kinds.js';
import { secretPair, serviceClients } from '../kinds/secret-kinds.js';
import { webAddress } from '../kinds/web-address-kinds.js';
import { defaulted, optional, secret } from '../setting-definition.js';

export const machineDefinitions = [
  secret({
    name: 'AUTH_INTERNAL_API_KEY',
    group: 'Machine access',
    kind: secretPair(16),
    default: 'unset: machine routes return 403',
    description:
      'The key of machine routes. During a rotation: two keys separated by a comma, both accepted.',
    fix: 'generate one with: openssl rand -hex 32',
  }),
  secret({
    name: 'SERVICE_CLIENTS',
    group: 'Machine access',
    kind: serviceClients,
    default: 'unset: no service tokens',
    description:
      'The services that may request service tokens, with one or two digests of their secrets. Scopes of the machine ' +
      'routes: `internal:read`, `internal:write`, `sessions:mint`, `users:privileged`, `webhooks:write`, `revocations:read` and `api-keys:verify`; others are for other services.',
    fix: 'create each client with: latchkey service-clients create; it prints the entry in this form',
  }),
  defaulted({
    name: 'SERVICE_TOKEN_TTL',
    group: 'Machine access',
    kind: duration('1s', '10m'),
    default: '300',
    description: 'Lifetime of a service token.',
  }),
  optional({
    name: 'CORE_BASE_URL',
    group: 'Core service',
    kind: webAddress,
    default: 'unset: access cannot be resolved',
    description: 'The core service, which provides the entitlements of companies.',
    example: 'https://core.example.com',
  }),
  secret({
    name: 'CORE_INTERNAL_API_KEY',
    group: 'Core service',
    kind: text('printable ASCII characters', /^[\x20-\x7e]+$/),
    default: 'unset',
    description: 'The key that this service sends to the core service.',
    fix: 'set CORE_INTERNAL_API_KEY to the internal key of the core service',
  }),
  defaulted({
    name: 'STRICT_ROLES',
    group: 'Core service',
    kind: boolean,
    default: 'false',
    description:
      'Refuses memberships and invitations with a role that is neither built in nor defined, in the company or by a template.',
  }),
  defaulted({
    name: 'CORE_TIMEOUT',
    group: 'Core service',
    kind: duration('1s', '4s'),
    default: '3',
    description: 'Time limit for a response of the core service.',
  }),
  defaulted({
    name: 'ENTITLEMENTS_CACHE_TTL',
    group: 'Core service',
    kind: duration('0s', '30s'),
    default: '0',
    description: 'How long a response of the core service is cached; 0 disables the cache.',
  }),
] as const;
