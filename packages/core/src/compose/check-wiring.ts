import {
  aFunction,
  anything,
  assertOptions,
  trueOrFalse,
  type OptionRule,
} from '../settings/option-rules.js';
import type { Settings } from '../settings/settings.js';
import type { CreateAuthOptions } from './create-auth-options.js';
import type { VerifyOnlyOptions } from './verifying-auth.js';

const LEVELS = ['debug', 'info', 'warn', 'error'];

const aLogger: OptionRule = {
  allowed: 'pino, console, or anything else with debug, info, warn and error',
  isAllowed: (value) =>
    typeof value === 'object' &&
    value !== null &&
    LEVELS.every((level) => typeof Reflect.get(value, level) === 'function'),
};

/** The options of `createAuth` and their types; `before`, `claims`, `within` and `mail` are checked in more detail elsewhere. */
export const CREATE_AUTH_OPTIONS = {
  logger: aLogger,
  migrate: trueOrFalse,
  sendMail: trueOrFalse,
  entitlements: aFunction,
  claims: anything,
  before: anything,
  within: anything,
  mail: anything,
} satisfies Record<keyof CreateAuthOptions, OptionRule>;

/** Throws a TypeError that names an unknown or wrong option. */
export function assertCreateAuthOptions(options: unknown): void {
  const aliases = { hooks: 'before', beforeHooks: 'before', additionalClaims: 'claims', mailer: 'mail' };
  const taker = { name: 'createAuth', before: 'settings, ', aliases };
  assertOptions(taker, options, { ...CREATE_AUTH_OPTIONS, verifyOnly: trueOrFalse });
}

/** Throws a TypeError if the settings leave mail to a function of the app that is missing. */
export function assertMailSender({ mail: { byApp } }: Settings, { mail, sendMail }: CreateAuthOptions): void {
  if (!byApp || mail?.send !== undefined || sendMail === false) return;
  throw new TypeError(
    'createAuth: MAIL_BY_APP is on, and mail.send is missing. ' +
      'Write: createAuth(settings, { mail: { send: async (mail) => { … } } }), or { sendMail: false } if another process sends',
  );
}

/** Throws a TypeError for options that require signing or writing. */
export function assertVerifyOnlyOptions(options: VerifyOnlyOptions): void {
  const { logger, entitlements } = CREATE_AUTH_OPTIONS;
  const taker = { name: 'createAuth with verifyOnly', before: 'settings, ' };
  assertOptions(taker, options, { verifyOnly: trueOrFalse, logger, entitlements });
}

/** Matches a URL or a key that was passed directly instead of by `readSettings`. */
const SECRETS = [
  ['database', 'url', 'DATABASE_URL'],
  ['redis', 'url', 'REDIS_URL'],
  ['tokens', 'signingKeyPem', 'JWT_SIGNING_KEY_PEM'],
] as const;

/**
 * Throws a TypeError with the correct line for settings that `readSettings` did not return.
 * @param taker name of the function that receives them: `createAuth`.
 */
export function assertSettings(taker: string, settings: unknown): asserts settings is Settings {
  const line = `Write: ${taker}(readSettings())`;
  if (settings === undefined || settings === null) {
    throw new TypeError(`${taker}: the settings are missing. ${line}`);
  }
  const groups = typeof settings === 'object' ? settings : {};
  for (const group of ['database', 'redis', 'tokens', 'http'] as const) {
    if (typeof Reflect.get(groups, group) === 'object') continue;
    throw new TypeError(`${taker}: these are not the settings that readSettings gives. ${line}`);
  }
  const given = groups as Record<string, Record<string, unknown>>;
  for (const [group, name, setting] of SECRETS) {
    if (typeof given[group]?.[name] !== 'string') continue;
    throw new TypeError(
      `${taker}: settings.${group}.${name} is text, and must be a Secret. ` +
        `Write: ${taker}(readSettings({ ...process.env, ${setting}: … }))`,
    );
  }
}
