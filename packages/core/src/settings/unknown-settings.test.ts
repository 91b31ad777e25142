import { expect, it } from 'vitest';
import { unknownSettings } from './unknown-settings.js';

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['REDIS_URLS', 'REDIS_URL'],
  ['PROT', 'PORT'],
  ['JWT_SIGNING_KEY', 'JWT_SIGNING_KEY_PEM'],
  ['JWT_SIGNING_KEY_FILE', 'JWT_SIGNING_KEY_PEM_FILE'],
  ['SMTP_URL_FLIE', 'SMTP_URL_FILE'],
])('%s suggests %s', (name, meant) => {
  expect(unknownSettings([name])).toEqual([
    {
      name,
      found: 'an unknown setting name, which is ignored',
      fix: `did you mean ${meant}? Rename it, or remove it`,
    },
  ]);
});

it('a name with a prefix of ours is reported even if it is similar to no setting', () => {
  expect(unknownSettings(['LATCHKEY_COLOUR_OF_THE_LOGO', 'JWT_SECRET'])).toMatchObject([
    { name: 'LATCHKEY_COLOUR_OF_THE_LOGO', fix: 'remove it' },
    { name: 'JWT_SECRET', fix: 'remove it' },
  ]);
});

it.each([
  ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'LOGNAME', 'MAIL', 'SHELL', 'TERM', 'USER', 'PWD', 'TZ', 'CI'],
  ['NODE_ENV', 'NODE_OPTIONS', 'npm_config_loglevel', 'npm_package_version', 'DEBUG', 'NO_COLOR'],
  ['KUBERNETES_SERVICE_HOST', 'REDIS_PORT', 'REDIS_SERVICE_HOST', 'POSTGRES_PASSWORD', 'PGHOST'],
  [
    'AUTH_SERVICE_HOST',
    'AUTH_SERVICE_PORT_HTTP',
    'AUTH_PORT',
    'AUTH_PORT_3097_TCP_ADDR',
    'SSH_AUTH_SOCK',
    'SESSION_MANAGER',
  ],
])('usual variables of environments are ignored: %s …', (...names) => {
  expect(unknownSettings(names)).toEqual([]);
});
