import { signingKey, verificationKeys } from '../kinds/key-kinds.js';
import { duration, integer, text } from '../kinds/plain-kinds.js';
import { secretPair } from '../kinds/secret-kinds.js';
import { defaulted, optional, secret } from '../setting-definition.js';

const noSpaces = text('text without white space', /^\S+$/);

export const tokenDefinitions = [
  secret({
    name: 'JWT_SIGNING_KEY_PEM',
    group: 'Signing keys and access tokens',
    kind: signingKey,
    default: 'generated once and kept in `DATA_DIR`, outside production',
    description: 'The private key that signs tokens. Required in production.',
    mend:
      'run: latchkey keys generate --out signing-key.pem; then set JWT_SIGNING_KEY_PEM_FILE=signing-key.pem ' +
      '(what is wrong with a key: latchkey keys inspect)',
  }),
  secret({
    name: 'JWT_VERIFICATION_KEYS_PEM',
    group: 'Signing keys and access tokens',
    kind: verificationKeys,
    default: 'unset',
    description: 'Further keys that are published and accepted but never sign, so that keys can be rotated.',
    mend:
      'put the keys into one file and set JWT_VERIFICATION_KEYS_PEM_FILE to its path, or remove the setting ' +
      '(latchkey keys rotate keeps such a file)',
  }),
  optional({
    name: 'JWT_ISSUER',
    group: 'Signing keys and access tokens',
    kind: noSpaces,
    default: '`AUTH_BASE_URL`',
    description: 'The `iss` claim of every token.',
    example: 'https://auth.example.com',
  }),
  defaulted({
    name: 'JWT_AUDIENCE',
    group: 'Signing keys and access tokens',
    kind: noSpaces,
    default: 'latchkey',
    description: 'The `aud` claim of access tokens.',
  }),
  defaulted({
    name: 'ACCESS_TOKEN_TTL',
    group: 'Signing keys and access tokens',
    kind: duration('1s', '1d'),
    default: '900',
    description: 'How long an access token is valid.',
  }),
  defaulted({
    name: 'REFRESH_TOKEN_TTL',
    group: 'Sessions and refresh tokens',
    kind: duration('1s', '365d'),
    default: '14d',
    description: 'The idle limit: how long a session lives without a refresh.',
  }),
  defaulted({
    name: 'SESSION_MAX_LIFETIME',
    group: 'Sessions and refresh tokens',
    kind: duration('1s', '365d'),
    default: '30d',
    description: 'The absolute limit: how long a session lives at most, however often it is refreshed.',
  }),
  defaulted({
    name: 'REFRESH_REUSE_GRACE',
    group: 'Sessions and refresh tokens',
    kind: duration('0s', '60s'),
    default: '0',
    description:
      'How long the token before the current one gets the same successor again, for clients that lost an answer.',
  }),
  defaulted({
    name: 'REFRESH_COALESCE_MS',
    group: 'Sessions and refresh tokens',
    kind: integer(0, 1000),
    default: '25',
    description: 'Milliseconds a refresh waits, so that simultaneous ones are recognised as overlapping.',
  }),
  secret({
    name: 'REFRESH_TOKEN_PEPPER',
    group: 'Sessions and refresh tokens',
    kind: secretPair(32),
    default: 'derived from the signing key',
    description:
      'The server secret in refresh tokens. While it is rotated: the new one, a comma, the old one.',
    mend: 'generate one with: openssl rand -base64 48, or remove REFRESH_TOKEN_PEPPER to derive it from the signing key',
  }),
  defaulted({
    name: 'SESSION_CACHE_TTL',
    group: 'Sessions and refresh tokens',
    kind: duration('0s', '5m'),
    default: '15',
    description: 'How long Redis remembers that a session is good, for guards in host apps; 0 turns it off.',
  }),
] as const;
