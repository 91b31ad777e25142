import {
  aFunction,
  aLogger,
  anything,
  assertOptions,
  trueOrFalse,
  type OptionRule,
} from '../settings/option-rules.js';
import type { Settings } from '../settings/settings.js';
import type { CreateAuthOptions } from './create-auth-options.js';
import type { VerifyOnlyOptions } from './verifying-auth.js';

/** What `createAuth` knows, each with what it may be; `before` and `claims` are looked at more closely elsewhere. */
export const CREATE_AUTH_OPTIONS = {
  logger: aLogger,
  migrate: trueOrFalse,
  sendMail: trueOrFalse,
  entitlements: aFunction,
  claims: anything,
  before: anything,
} satisfies Record<keyof CreateAuthOptions, OptionRule>;

/** @throws TypeError that names the unknown or wrong option. */
export function assertCreateAuthOptions(options: unknown): void {
  const aliases = { hooks: 'before', beforeHooks: 'before', additionalClaims: 'claims', mail: 'sendMail' };
  const taker = { name: 'createAuth', before: 'settings, ', aliases };
  assertOptions(taker, options, { ...CREATE_AUTH_OPTIONS, verifyOnly: trueOrFalse });
}

/** @throws TypeError for options that have no place where nothing is signed or written. */
export function assertVerifyOnlyOptions(options: VerifyOnlyOptions): void {
  const { logger, entitlements } = CREATE_AUTH_OPTIONS;
  const taker = { name: 'createAuth with verifyOnly', before: 'settings, ' };
  assertOptions(taker, options, { verifyOnly: trueOrFalse, logger, entitlements });
}

/** Where an address or a key is given by hand instead of by `readSettings`. */
const SECRETS = [
  ['database', 'url', 'DATABASE_URL'],
  ['redis', 'url', 'REDIS_URL'],
  ['tokens', 'signingKeyPem', 'JWT_SIGNING_KEY_PEM'],
] as const;

/**
 * @param taker whose settings they are: `createAuth`.
 * @throws TypeError that shows the right line, for what `readSettings` has not given.
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
