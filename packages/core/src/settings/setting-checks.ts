import { isLocalHost } from '../kernel/local-host.js';
import { definitionOf, type SettingName, type SettingValues } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';

/** Purpose of the settings: running the service, administering its database from outside, or guarding routes. */
export type SettingsPurpose = 'service' | 'administration' | 'verification';

/** Input of the rules between settings. Faulty settings have no value but count as given. */
interface CheckedSettings {
  readonly values: Partial<SettingValues>;
  readonly isGiven: (name: SettingName) => boolean;
  readonly purpose: SettingsPurpose;
}

/** Returns faults between several settings. */
export function faultsBetweenSettings(settings: CheckedSettings): SettingFault[] {
  return [
    ...missingInProduction(settings),
    ...unfitPublicAddress(settings),
    ...missingForPasskeys(settings),
    ...foreignPasskeyOrigins(settings),
    ...missingForSecondFactor(settings),
    ...trustWithoutCookies(settings),
    ...missingForWebhooks(settings),
    ...missingForProviders(settings),
    ...unfitIssuers(settings),
    ...signUpWithoutRegistration(settings),
    ...halfOfMail(settings),
    ...missingForVerification(settings),
    ...approvalWithoutVerification(settings),
    ...sharedPort(settings),
  ];
}

const NEEDED_IN_PRODUCTION: Record<SettingsPurpose, readonly SettingName[]> = {
  service: ['DATABASE_URL', 'REDIS_URL', 'JWT_SIGNING_KEY_PEM'],
  administration: ['DATABASE_URL'],
  verification: ['DATABASE_URL', 'JWT_VERIFICATION_KEYS_PEM'],
};

/** Embedded replacements lose data and keep keys in files: production never falls back to them. */
function missingInProduction({ values, isGiven, purpose }: CheckedSettings): SettingFault[] {
  if (values.APP_ENV !== 'production') return [];
  const needed = NEEDED_IN_PRODUCTION[purpose];
  return needed.filter((name) => !isGiven(name)).map((name) => missing(name, 'when APP_ENV is production'));
}

/** Mail links and the token issuer use it, so the default would send users to their own machine. */
function unfitPublicAddress({ values, isGiven, purpose }: CheckedSettings): SettingFault[] {
  if (values.APP_ENV !== 'production' || purpose !== 'service') return [];
  const name = isGiven('AUTH_BASE_URL') || !isGiven('SERVER_URL') ? 'AUTH_BASE_URL' : 'SERVER_URL';
  if (!isGiven(name)) return [missing(name, 'when APP_ENV is production')];
  const address = values[name];
  if (address === undefined || address.startsWith('https://')) return [];
  if (isLocalHost(new URL(address).hostname)) return [];
  return [
    {
      name,
      found: `${address}, which is not encrypted`,
      expected: 'an https address; http only for localhost',
      fix: `set it to the public https address, as in ${name}=https://auth.example.com`,
    },
  ];
}

function missingForPasskeys({ values, isGiven }: CheckedSettings): SettingFault[] {
  if (values.PASSKEYS_ENABLED !== true) return [];
  const needed: SettingName[] = ['WEBAUTHN_RP_ID', 'WEBAUTHN_ORIGINS'];
  return needed.filter((name) => !isGiven(name)).map((name) => missing(name, 'when PASSKEYS_ENABLED is on'));
}

/** A key that is kept in a file of one machine would lock out the users of every other replica. */
function missingForSecondFactor({ values, isGiven, purpose }: CheckedSettings): SettingFault[] {
  const { APP_ENV: environment, SECOND_FACTOR: mode } = values;
  if (environment !== 'production' || purpose !== 'service' || mode === undefined || mode === 'off')
    return [];
  if (isGiven('ENCRYPTION_KEYS')) return [];
  return [missing('ENCRYPTION_KEYS', `in production when SECOND_FACTOR is ${mode}`)];
}

/** A browser keeps its secret in a cookie, where no script reads it. */
function trustWithoutCookies({ values }: CheckedSettings): SettingFault[] {
  const { TRUSTED_DEVICE_DAYS: days = 0, AUTH_WEB_COOKIE_MODE: cookieMode } = values;
  if (days === 0 || cookieMode !== false) return [];
  return [
    {
      name: 'TRUSTED_DEVICE_DAYS',
      found: `${days}, while AUTH_WEB_COOKIE_MODE is off`,
      expected: '0, unless browsers keep cookies of the service',
      fix: 'set AUTH_WEB_COOKIE_MODE=true, or remove TRUSTED_DEVICE_DAYS',
    },
  ];
}

/** Their secrets are encrypted with it. */
function missingForWebhooks({ values, isGiven, purpose }: CheckedSettings): SettingFault[] {
  const { APP_ENV: environment, WEBHOOKS: mode } = values;
  if (environment !== 'production' || purpose !== 'service' || mode === undefined || mode === 'off')
    return [];
  if (isGiven('ENCRYPTION_KEYS')) return [];
  return [missing('ENCRYPTION_KEYS', `in production when WEBHOOKS is ${mode}`)];
}

/** Returns the fault of missing keys: they encrypt what a sign-in on its way keeps, and another replica may take the response. */
function missingForProviders({ values, isGiven, purpose }: CheckedSettings): SettingFault[] {
  if (values.APP_ENV !== 'production' || purpose !== 'service' || !isGiven('EXTERNAL_PROVIDERS')) return [];
  if (isGiven('ENCRYPTION_KEYS')) return [];
  return [missing('ENCRYPTION_KEYS', 'in production when EXTERNAL_PROVIDERS is set')];
}

/** Another issuer under the name of a known one is for tests, and so is one without encryption. */
function unfitIssuers({ values }: CheckedSettings): SettingFault[] {
  if (values.APP_ENV !== 'production') return [];
  const providers = values.EXTERNAL_PROVIDERS?.reveal() ?? [];
  return providers.flatMap(({ id, type, issuer }): SettingFault[] => {
    if (issuer === undefined || (type === 'oidc' && issuer.startsWith('https:'))) return [];
    return [
      {
        name: 'EXTERNAL_PROVIDERS',
        found: `an issuer of provider ${id} that is for tests`,
        expected:
          'no issuer for google and microsoft, and an https address for oidc, when APP_ENV is production',
        fix: 'remove the issuer, or use the type oidc with an https address',
      },
    ];
  });
}

/** An account of a provider is a registration like any other. */
function signUpWithoutRegistration({ values }: CheckedSettings): SettingFault[] {
  if (values.EXTERNAL_SIGN_UP !== true || values.PUBLIC_REGISTRATION_ENABLED !== false) return [];
  return [
    {
      name: 'EXTERNAL_SIGN_UP',
      found: 'true, while PUBLIC_REGISTRATION_ENABLED is off',
      expected: 'false, unless users may register',
      fix: 'remove EXTERNAL_SIGN_UP, or set PUBLIC_REGISTRATION_ENABLED=true',
    },
  ];
}

/** Browsers reject a relying party id that is not the host of the page or a parent domain of it. */
function foreignPasskeyOrigins({ values }: CheckedSettings): SettingFault[] {
  const { PASSKEYS_ENABLED: enabled, WEBAUTHN_RP_ID: id, WEBAUTHN_ORIGINS: origins } = values;
  if (enabled !== true || id === undefined || origins === undefined) return [];
  const foreign = origins.filter((origin) => !isUnderDomain(origin, id));
  if (foreign.length === 0) return [];
  return [
    {
      name: 'WEBAUTHN_ORIGINS',
      found: `${foreign.join(', ')}, outside the domain "${id}" of WEBAUTHN_RP_ID`,
      expected: `origins whose host is ${id} or ends in .${id}`,
      fix: 'set WEBAUTHN_RP_ID to a domain that all origins share, or remove the other origins',
    },
  ];
}

function isUnderDomain(origin: string, domain: string): boolean {
  if (origin.startsWith('android:')) return true;
  const host = new URL(origin).hostname;
  return host === domain || host.endsWith(`.${domain}`);
}

function halfOfMail({ isGiven }: CheckedSettings): SettingFault[] {
  if (isGiven('SMTP_URL') === isGiven('MAIL_FROM')) return [];
  const [present, absent] = isGiven('SMTP_URL')
    ? (['SMTP_URL', 'MAIL_FROM'] as const)
    : (['MAIL_FROM', 'SMTP_URL'] as const);
  return [missing(absent, `when ${present} is set`)];
}

/** Mailed links that users cannot do without need mail; outside production the development inbox receives it. */
function missingForVerification({ values, isGiven, purpose }: CheckedSettings): SettingFault[] {
  if (values.APP_ENV !== 'production' || purpose !== 'service') return [];
  if (isGiven('SMTP_URL') || isGiven('MAIL_FROM') || values.MAIL_BY_APP === true) return [];
  const cause = [
    ...(values.REGISTRATION_APPROVAL === 'verified' ? ['REGISTRATION_APPROVAL is verified'] : []),
    ...(values.EMAIL_VERIFICATION === 'required' ? ['EMAIL_VERIFICATION is required'] : []),
    ...(values.MAILED_SIGN_IN === true ? ['MAILED_SIGN_IN is on'] : []),
    ...(values.ACCOUNT_DELETION === 'self' ? ['ACCOUNT_DELETION is self'] : []),
  ][0];
  if (cause === undefined) return [];
  const needed: SettingName[] = ['SMTP_URL', 'MAIL_FROM'];
  return needed.map((name) => missing(name, `in production when ${cause}, unless MAIL_BY_APP is on`));
}

/** A registration that its mailed link approves would never be approved. */
function approvalWithoutVerification({ values }: CheckedSettings): SettingFault[] {
  if (values.REGISTRATION_APPROVAL !== 'verified' || values.EMAIL_VERIFICATION !== 'off') return [];
  return [
    {
      name: 'EMAIL_VERIFICATION',
      found: 'off, while REGISTRATION_APPROVAL is verified',
      expected: 'offer or required',
      fix: 'remove EMAIL_VERIFICATION, or set REGISTRATION_APPROVAL to staff or none',
    },
  ];
}

function sharedPort({ values }: CheckedSettings): SettingFault[] {
  const { PORT: port, METRICS_PORT: metricsPort } = values;
  if (metricsPort === undefined || metricsPort !== port) return [];
  return [
    {
      name: 'METRICS_PORT',
      found: `${metricsPort}, which is PORT`,
      expected: 'another port',
      fix: 'choose another port, or remove METRICS_PORT to serve /metrics on PORT with the internal key',
    },
  ];
}

function missing(name: SettingName, when: string): SettingFault {
  const { expected, fix } = definitionOf(name);
  return { name, found: 'nothing', expected: `${expected}; required ${when}`, fix };
}
