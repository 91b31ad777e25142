import { externalProviders, redirectUriList } from '../kinds/external-kinds.js';
import { boolean } from '../kinds/plain-kinds.js';
import { defaulted, optional, secret } from '../setting-definition.js';

export const externalDefinitions = [
  secret({
    name: 'EXTERNAL_PROVIDERS',
    group: 'External providers',
    kind: externalProviders,
    default: 'unset: no user signs in by another service',
    description:
      'Services by which users can sign in, as JSON: `id`, `type` (`google`, `microsoft`, `github` or `oidc`), `clientId`, `clientSecret` ' +
      'or `privateKeyFile`, and where they apply `issuer`, `tenant`, `scopes`, `trustsFactors`, `reauthenticates` and `label`. Register ' +
      '`AUTH_BASE_URL` with `/external/callback/` and the id as redirect URI there. Needs `ENCRYPTION_KEYS`.',
    fix: 'write a list such as [{"id":"google","type":"google","clientId":"…","clientSecret":"…"}]; EXTERNAL_PROVIDERS_FILE reads it from a file',
  }),
  defaulted({
    name: 'EXTERNAL_SIGN_UP',
    group: 'External providers',
    kind: boolean,
    default: 'false',
    description:
      'Whether the first sign-in by a provider creates an account for an address that has none. Needs `PUBLIC_REGISTRATION_ENABLED`, and ' +
      '`REGISTRATION_APPROVAL` holds as for a registration.',
  }),
  optional({
    name: 'EXTERNAL_REDIRECT_URIS',
    group: 'External providers',
    kind: redirectUriList,
    default: 'unset: responses of providers go to the pages of the service',
    description:
      'Addresses of front ends that take the responses of providers themselves, each without the `/` and the id of the connection that ' +
      'are appended. Register every address with its id at the provider.',
    example: 'https://app.example.com/sign-in/callback',
  }),
] as const;
