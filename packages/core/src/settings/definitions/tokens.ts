import { signingKey, verificationKeys } from '../kinds/key-kinds.js';
import { boolean, duration, durationOrOff, integer, text } from '../kinds/plain-kinds.js';
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
    fix:
      'run: latchkey keys generate --out signing-key.pem; then set JWT_SIGNING_KEY_PEM_FILE=signing-key.pem ' +
      '(to check a key: latchkey keys inspect)',
  }),
  secret({
    name: 'JWT_VERIFICATION_KEYS_PEM',
    group: 'Signing keys and access tokens',
    kind: verificationKeys,
    default: 'unset',
    description: 'Additional keys that are published and accepted but never sign, for key rotation.',
    fix:
      'put the keys into one file and set JWT_VERIFICATION_KEYS_PEM_FILE to its path, or remove the setting ' +
      '(latchkey keys rotate maintains such a file)',
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
    description: 'Lifetime of an access token.',
  }),
  defaulted({
    name: 'REFRESH_TOKEN_TTL',
    group: 'Sessions and refresh tokens',
    kind: duration('1s', '365d'),
    default: '14d',
    description: 'Idle limit: a session expires after this time without a refresh.',
  }),
  defaulted({
    name: 'SESSION_MAX_LIFETIME',
    group: 'Sessions and refresh tokens',
    kind: duration('1s', '365d'),
    default: '30d',
    description: 'Absolute limit: a session expires after this time, however often it is refreshed.',
  }),
  defaulted({
    name: 'MINT_ACTOR_REQUIRED',
    group: 'Sessions and refresh tokens',
    kind: boolean,
    default: 'false',
    description:
      'Whether a machine that opens a session for a user must name who acts in it, and why. See `docs/acting-for-others.md`.',
  }),
  defaulted({
    name: 'MINT_MAX_LIFETIME',
    group: 'Sessions and refresh tokens',
    kind: duration('1m', '12h'),
    default: '1h',
    description:
      'A session in which an actor acts for its user expires after this time, however often it is refreshed.',
  }),
  optional({
    name: 'STAFF_ACTING',
    group: 'Sessions and refresh tokens',
    kind: boolean,
    default: '`on` where `APP_ENV` is `development`, else `off`',
    description:
      'Whether admins and superadmins may sign in as users of a lower role, for a stated reason and at most `MINT_MAX_LIFETIME`. The ' +
      'user is notified. See `docs/acting-for-others.md`.',
    example: 'on',
  }),
  defaulted({
    name: 'REFRESH_REUSE_GRACE',
    group: 'Sessions and refresh tokens',
    kind: duration('0s', '60s'),
    default: '0',
    description:
      'How long the previous refresh token returns the same successor again, for clients that lost a response.',
  }),
  defaulted({
    name: 'REFRESH_COALESCE_MS',
    group: 'Sessions and refresh tokens',
    kind: integer(0, 1000),
    default: '25',
    description:
      'Milliseconds that a refresh waits, so that simultaneous refreshes are recognized as overlapping.',
  }),
  secret({
    name: 'REFRESH_TOKEN_PEPPER',
    group: 'Sessions and refresh tokens',
    kind: secretPair(32),
    default: 'derived from the signing key',
    description:
      'The server secret for refresh tokens. During a rotation: the new one, a comma, the old one.',
    fix: 'generate one with: openssl rand -base64 48, or remove REFRESH_TOKEN_PEPPER to derive it from the signing key',
  }),
  defaulted({
    name: 'SESSION_CACHE_TTL',
    group: 'Sessions and refresh tokens',
    kind: duration('0s', '5m'),
    default: '15',
    description:
      'How long Redis caches that a session is active, for guards in host apps; 0 disables the cache.',
  }),
  optional({
    name: 'GEOIP_DATABASE',
    group: 'Sessions and refresh tokens',
    kind: text('the path of a City or Country database in the MaxMind DB format (.mmdb)'),
    default: 'unset: sessions are listed without a place',
    description:
      'Database from which lists of sessions take the approximate place of an IP address: GeoLite2 City, GeoIP2 City or DB-IP City ' +
      'Lite, or a Country database. Read into memory at the start; a restart reads a newer one. A missing or foreign file prevents ' +
      'the start. See `docs/sessions.md`.',
    example: '/var/lib/latchkey/GeoLite2-City.mmdb',
  }),
  defaulted({
    name: 'STAFF_STEP_UP',
    group: 'Sessions and refresh tokens',
    kind: durationOrOff('1m', '30d'),
    default: '15m',
    description:
      'Maximum age of the sign-in or step-up of platform staff who create a user with a role, change a role, deactivate a user ' +
      'or withdraw an approval. `off` sets no limit. Machines and the command line are not concerned.',
  }),
] as const;
