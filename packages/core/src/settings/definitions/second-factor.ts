import { encryptionKeys } from '../kinds/key-kinds.js';
import { choice, integer } from '../kinds/plain-kinds.js';
import { SECOND_FACTOR_MODES } from '../second-factor-mode.js';
import { optional, secret } from '../setting-definition.js';

export const secondFactorDefinitions = [
  optional({
    name: 'SECOND_FACTOR',
    group: 'Second factor',
    kind: choice(SECOND_FACTOR_MODES),
    default: '`optional` outside production and where `ENCRYPTION_KEYS` is set, else `off`',
    description:
      'Who signs in with a second factor. `off`: no user; factors that are set up are not asked for. `optional`: users who have ' +
      'set one up. `staff`: also every user with a platform role. `all`: every user.',
    example: 'staff',
  }),
  optional({
    name: 'TRUSTED_DEVICE_DAYS',
    group: 'Second factor',
    kind: integer(0, 90),
    default: '30 where `APP_ENV` is `development` and cookie mode is on, else 0',
    description:
      'Days for which a browser that the user trusts is not asked for the second factor again; 0: it is asked at every sign-in. Requires ' +
      '`AUTH_WEB_COOKIE_MODE`. Staff are always asked where `SECOND_FACTOR` is `staff` or `all`.',
    example: '30',
  }),
  secret({
    name: 'ENCRYPTION_KEYS',
    formerName: 'FACTOR_ENCRYPTION_KEYS',
    group: 'Second factor',
    kind: encryptionKeys,
    default: 'generated once and kept in `DATA_DIR`, outside production',
    description:
      'The keys that encrypt secrets in the database, such as those of authenticator apps and the keys of recovery codes, comma-separated. The first ' +
      'encrypts, all decrypt. Required in production unless `SECOND_FACTOR` is `off`. Rotating the signing key does not concern them. ' +
      '`FACTOR_ENCRYPTION_KEYS` is the former name, which still works.',
    fix: 'generate one with: openssl rand -base64 32',
  }),
] as const;
