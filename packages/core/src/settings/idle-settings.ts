import { IN_MEMORY } from './kinds/connection-kinds.js';
import type { SettingName, SettingValues } from './setting-definitions.js';
import type { SettingWarning } from './setting-warning.js';

/** Settings without effect because of the value of another setting. */
interface Idle {
  names: readonly SettingName[];
  /** Completes the sentence "it has no effect …". */
  words: string;
  isIdle: (values: Partial<SettingValues>) => boolean;
}

const IDLE: readonly Idle[] = [
  {
    names: ['WEBAUTHN_RP_ID', 'WEBAUTHN_RP_NAME', 'WEBAUTHN_ORIGINS'],
    words: 'while PASSKEYS_ENABLED is off',
    isIdle: ({ PASSKEYS_ENABLED }) => PASSKEYS_ENABLED === false,
  },
  {
    names: [
      'REGISTRATION_APPROVAL',
      'REGISTRATION_DOMAINS',
      'REGISTRATION_BLOCKED_DOMAINS',
      'APPROVAL_NOTICE_TO',
    ],
    words: 'while PUBLIC_REGISTRATION_ENABLED is off',
    isIdle: ({ PUBLIC_REGISTRATION_ENABLED }) => PUBLIC_REGISTRATION_ENABLED === false,
  },
  {
    names: ['EXTERNAL_SIGN_UP', 'EXTERNAL_REDIRECT_URIS'],
    words: 'without EXTERNAL_PROVIDERS',
    isIdle: ({ EXTERNAL_PROVIDERS }) => EXTERNAL_PROVIDERS === undefined,
  },
  {
    names: ['CORE_INTERNAL_API_KEY', 'CORE_TIMEOUT', 'ENTITLEMENTS_CACHE_TTL'],
    words: 'without CORE_BASE_URL',
    isIdle: ({ CORE_BASE_URL }) => CORE_BASE_URL === undefined,
  },
  {
    names: ['FINANCE_COMPANY_QUERY'],
    words: 'without FINANCE_DATABASE_URL',
    isIdle: ({ FINANCE_DATABASE_URL }) => FINANCE_DATABASE_URL === undefined,
  },
  {
    names: ['SERVICE_TOKEN_TTL'],
    words: 'without SERVICE_CLIENTS',
    isIdle: ({ SERVICE_CLIENTS }) => SERVICE_CLIENTS === undefined,
  },
  {
    names: ['REDIS_KEY_PREFIX'],
    words: 'without an address in REDIS_URL',
    isIdle: ({ REDIS_URL }) => REDIS_URL === undefined || REDIS_URL.reveal() === IN_MEMORY,
  },
  {
    names: ['SMTP_URL', 'MAIL_FROM'],
    words: 'while MAIL_BY_APP is on',
    isIdle: ({ MAIL_BY_APP }) => MAIL_BY_APP === true,
  },
  {
    names: ['METRICS_HOST'],
    words: 'without METRICS_PORT',
    isIdle: ({ METRICS_PORT }) => METRICS_PORT === undefined,
  },
  {
    names: ['SERVER_URL'],
    words: 'beside AUTH_BASE_URL',
    isIdle: ({ AUTH_BASE_URL }) => AUTH_BASE_URL !== undefined,
  },
  {
    names: ['DATA_DIR'],
    words: 'in production, where nothing is embedded',
    isIdle: ({ APP_ENV }) => APP_ENV === 'production',
  },
];

/** Returns warnings about given settings that have no effect. */
export function idleSettings(
  values: Partial<SettingValues>,
  isGiven: (name: SettingName) => boolean,
): SettingWarning[] {
  return IDLE.filter(({ isIdle }) => isIdle(values)).flatMap(({ names, words }) =>
    names.filter(isGiven).map((name) => ({
      name,
      found: `a value that has no effect ${words}`,
      fix: `remove ${name}, unless you plan to change that`,
    })),
  );
}
