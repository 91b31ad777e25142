import { expect, it } from 'vitest';
import { createAdministration } from '@latchkey/operations';
import { createTestAuth } from '@latchkey/testing';
import { openMigrations } from '../../../operations/src/compose/open-migrations.js';
import { silentLogger } from '../kernel/logger.js';
import { readSettings } from '../settings/read-settings.js';
import { createAuth } from './create-auth.js';

const settings = readSettings({ DATABASE_URL: 'postgres://app@127.0.0.1:1/none' });
const call = createAuth as (settings?: unknown, options?: unknown) => Promise<unknown>;
const LINE = 'Write: createAuth(readSettings())';
const KNOWN =
  'Options are logger, migrate, sendMail, entitlements, claims, before, within, mail, verifyOnly.';

it.each<[string, unknown, string]>([
  ['nothing', undefined, `createAuth: the settings are missing. ${LINE}`],
  ['null', null, `createAuth: the settings are missing. ${LINE}`],
  ['the environment', process.env, `createAuth: these are not the settings that readSettings gives. ${LINE}`],
  ['an address', 'postgres://x', `createAuth: these are not the settings that readSettings gives. ${LINE}`],
  [
    'a database address by hand',
    { ...settings, database: { ...settings.database, url: 'postgres://x' } },
    'createAuth: settings.database.url is text, and must be a Secret. ' +
      'Write: createAuth(readSettings({ ...process.env, DATABASE_URL: … }))',
  ],
])('createAuth of %s says what to write', async (_what, given, message) => {
  await expect(call(given)).rejects.toEqual(new TypeError(message));
});

it.each<[object, string]>([
  [{ hooks: {} }, `createAuth: unknown option hooks. Did you mean before? ${KNOWN}`],
  [
    { beforeRegister: () => undefined },
    `createAuth: unknown option beforeRegister. Did you mean before? ${KNOWN}`,
  ],
  [
    { entitlement: () => undefined },
    `createAuth: unknown option entitlement. Did you mean entitlements? ${KNOWN}`,
  ],
  [{ toString: () => '' }, `createAuth: unknown option toString. ${KNOWN}`],
  [{ migrate: 'false' }, 'createAuth: option migrate must be true or false.'],
  [{ entitlements: {} }, 'createAuth: option entitlements must be a function.'],
  [
    { logger: () => undefined },
    'createAuth: option logger must be pino, console, or anything else with debug, info, warn and error.',
  ],
])('createAuth refuses the options %j', async (options, message) => {
  await expect(call(settings, options)).rejects.toEqual(new TypeError(message));
});

it('mail that is left to the app needs its function, unless another process sends', async () => {
  const byApp = readSettings({ DATABASE_URL: 'postgres://app@127.0.0.1:1/none', MAIL_BY_APP: 'true' });
  for (const options of [{}, { mail: {} }, { mail: { render: () => undefined } }, { sendMail: true }]) {
    await expect(call(byApp, options)).rejects.toEqual(
      new TypeError(
        'createAuth: MAIL_BY_APP is on, and mail.send is missing. Write: createAuth(settings, { mail: { send: async (mail) => ' +
          '{ … } } }), or { sendMail: false } if another process sends',
      ),
    );
  }
  for (const options of [{ mail: { send: () => undefined } }, { sendMail: false }]) {
    await expect(call(byApp, options)).rejects.toMatchObject({ code: 'service_unavailable' });
  }
});

it('undefined options and known options are accepted', async () => {
  const options = {
    logger: silentLogger,
    migrate: undefined,
    before: undefined,
    within: undefined,
    mail: undefined,
    entitlements: () => undefined,
  };
  await expect(call(settings, options)).rejects.toMatchObject({ code: 'service_unavailable' });
});

it('functions for operators require settings, too', async () => {
  const administer = createAdministration as (settings?: unknown) => Promise<unknown>;
  await expect(administer()).rejects.toThrow('Write: createAdministration(readSettings())');
  const migrate = openMigrations as (settings?: unknown) => unknown;
  expect(() => migrate(process.env)).toThrow('Write: openMigrations(readSettings())');
});

it('createTestAuth rejects unknown options before it starts anything', async () => {
  const unknown: object = { entitlement: () => undefined };
  await expect(createTestAuth(unknown)).rejects.toThrow(
    'createTestAuth: unknown option entitlement. Did you mean entitlements?',
  );
  await expect(createTestAuth({ migrate: true } as object)).rejects.toThrow(TypeError);
});
