import type { KeyFact } from '../../../packages/operations/src/doctor/probes/key-probe.js';
import { inspected, productionSource, productionWith, settingsWith, type CheckCase } from './check-case.js';

const RANDOM = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const OTHER_RANDOM = '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5';

const key = (kid: string, bits = 2048): KeyFact => ({ kid, bits, isPrivate: true });
const keys = (verification: KeyFact[], signing: KeyFact | undefined = key('signing')) => ({
  signing,
  writtenAt: undefined,
  verification,
});
const writtenAt = (date: string) => ({
  keys: { ...keys([]), writtenAt: new Date(date) },
  runtime: { version: '24.0.0', now: new Date('2030-01-01') },
});

/** Returns the cases of settings, keys and addresses, which need no other service. */
export const ownCases = (): CheckCase[] => [
  ...settingsCases(),
  ...keyCases(),
  ...addressCases(),
  ...breachListCases(),
  ...geoipCases(),
];

const settingsCases = (): CheckCase[] => [
  { id: 'settings.valid', when: 'all are right', status: 'ok', facts: { inspection: inspected({}) } },
  {
    id: 'settings.valid',
    when: 'one is faulty',
    status: 'error',
    facts: { inspection: inspected({ PORT: 'x' }) },
  },
  {
    id: 'settings.used',
    when: 'all are known',
    status: 'ok',
    facts: { inspection: inspected({ PORT: '1' }) },
  },
  {
    id: 'settings.used',
    when: 'a name is misspelt',
    status: 'warning',
    facts: { inspection: inspected({ DATABSE_URL: 'postgres://localhost/auth' }) },
  },
  {
    id: 'settings.embedded',
    when: 'they serve this machine alone',
    status: 'ok',
    facts: { settings: settingsWith() },
  },
  {
    id: 'settings.embedded',
    when: 'the address is public',
    status: 'warning',
    facts: { settings: settingsWith({ AUTH_BASE_URL: 'https://auth.example.com' }) },
  },
  { id: 'settings.embedded', when: 'in production', status: 'ok', facts: { settings: productionWith() } },
  { id: 'settings.log_level', when: 'it is info', status: 'ok', facts: { settings: productionWith() } },
  {
    id: 'settings.log_level',
    when: 'it is debug in development',
    status: 'ok',
    facts: { settings: settingsWith({ LOG_LEVEL: 'debug' }) },
  },
  ...['debug', 'trace', 'silent'].map((LOG_LEVEL): CheckCase => ({
    id: 'settings.log_level',
    when: `it is ${LOG_LEVEL} in production`,
    status: 'warning',
    facts: { settings: productionWith({ LOG_LEVEL }) },
  })),
  { id: 'settings.registration', when: 'it is off', status: 'ok', facts: { settings: productionWith() } },
  {
    id: 'settings.registration',
    when: 'it is open in production',
    status: 'warning',
    facts: { settings: productionWith({ PUBLIC_REGISTRATION_ENABLED: 'true' }) },
  },
];

const keyCases = (): CheckCase[] => [
  { id: 'keys.signing', when: 'it has 2048 bits', status: 'ok', facts: { keys: keys([]) } },
  {
    id: 'keys.signing',
    when: 'it has 8192 bits',
    status: 'warning',
    facts: { keys: keys([], key('signing', 8192)) },
  },
  { id: 'keys.age', when: 'it was written last month', status: 'ok', facts: writtenAt('2029-12-01') },
  { id: 'keys.age', when: 'it was written two years ago', status: 'warning', facts: writtenAt('2027-12-01') },
  {
    id: 'keys.age',
    when: 'it is not from a file',
    status: 'skipped',
    facts: { ...writtenAt('2029-12-01'), keys: keys([]) },
  },
  { id: 'keys.verification', when: 'there is an old one', status: 'ok', facts: { keys: keys([key('old')]) } },
  {
    id: 'keys.verification',
    when: 'the signing key is among them, as a rotation leaves it',
    status: 'ok',
    facts: { keys: keys([key('signing'), key('old')]) },
  },
  {
    id: 'keys.verification',
    when: 'the signing key is the only one',
    status: 'ok',
    facts: { keys: keys([key('signing')]) },
  },
  {
    id: 'keys.verification',
    when: 'there are many',
    status: 'warning',
    facts: { keys: keys(['signing', 'a', 'b', 'c', 'd'].map((kid) => key(kid))) },
  },
  { id: 'keys.pepper', when: 'it is derived', status: 'ok', facts: { settings: productionWith() } },
  {
    id: 'keys.pepper',
    when: 'it is random',
    status: 'ok',
    facts: { settings: productionWith({ REFRESH_TOKEN_PEPPER: `${RANDOM},${OTHER_RANDOM}` }) },
  },
  {
    id: 'keys.pepper',
    when: 'it is made of words',
    status: 'warning',
    facts: { settings: productionWith({ REFRESH_TOKEN_PEPPER: 'pepper for the tokens of the company' }) },
  },
  {
    id: 'keys.pepper',
    when: 'new and old are the same',
    status: 'warning',
    facts: { settings: productionWith({ REFRESH_TOKEN_PEPPER: `${RANDOM},${RANDOM}` }) },
  },
  { id: 'keys.machine', when: 'there is none', status: 'skipped', facts: { settings: productionWith() } },
  {
    id: 'keys.machine',
    when: 'it is random',
    status: 'ok',
    facts: { settings: productionWith({ AUTH_INTERNAL_API_KEY: RANDOM }) },
  },
  {
    id: 'keys.machine',
    when: 'it is short in production',
    status: 'warning',
    facts: { settings: productionWith({ AUTH_INTERNAL_API_KEY: 'a-key-for-this-tour' }) },
  },
  {
    id: 'keys.machine',
    when: 'it is short in development',
    status: 'skipped',
    facts: { settings: settingsWith({ AUTH_INTERNAL_API_KEY: 'a-key-for-this-tour' }) },
  },
];

const PASSKEYS = { PASSKEYS_ENABLED: 'true', WEBAUTHN_RP_ID: 'example.com' };

const withoutProxy = (changes: Record<string, string> = {}): CheckCase['facts'] => {
  const { TRUST_PROXY: _, ...source } = productionSource();
  return { settings: settingsWith({ ...source, ...changes }) };
};

const addressCases = (): CheckCase[] => [
  { id: 'address.public', when: 'it is https', status: 'ok', facts: { settings: productionWith() } },
  {
    id: 'address.public',
    when: 'it is local in production',
    status: 'error',
    facts: { settings: productionWith({ AUTH_BASE_URL: 'https://localhost:3097' }) },
  },
  { id: 'address.public', when: 'in development', status: 'skipped', facts: { settings: settingsWith() } },
  { id: 'address.proxy', when: 'it is named', status: 'ok', facts: { settings: productionWith() } },
  {
    id: 'address.proxy',
    when: 'there is none, and no https',
    status: 'ok',
    facts: { settings: settingsWith() },
  },
  { id: 'address.proxy', when: 'pages would redirect endlessly', status: 'error', facts: withoutProxy() },
  {
    id: 'address.proxy',
    when: 'all callers would share its address',
    status: 'warning',
    facts: withoutProxy({ AUTH_WEB_FORCE_HTTPS: 'false' }),
  },
  { id: 'address.force_https', when: 'it is on', status: 'ok', facts: { settings: productionWith() } },
  {
    id: 'address.force_https',
    when: 'it is off in production',
    status: 'warning',
    facts: { settings: productionWith({ AUTH_WEB_FORCE_HTTPS: 'false' }) },
  },
  {
    id: 'address.cors',
    when: 'origins are https',
    status: 'ok',
    facts: { settings: productionWith({ CORS_ORIGINS: 'https://app.example.com,capacitor://localhost' }) },
  },
  {
    id: 'address.cors',
    when: 'one is http in production',
    status: 'warning',
    facts: { settings: productionWith({ CORS_ORIGINS: 'https://app.example.com,http://old.example.com' }) },
  },
  ...cookieCases(),
  {
    id: 'address.passkeys',
    when: 'the own origin is in the list',
    status: 'ok',
    facts: { settings: productionWith({ ...PASSKEYS, WEBAUTHN_ORIGINS: 'https://auth.example.com' }) },
  },
  {
    id: 'address.passkeys',
    when: 'the own origin is missing',
    status: 'warning',
    facts: { settings: productionWith({ ...PASSKEYS, WEBAUTHN_ORIGINS: 'https://app.example.com' }) },
  },
  {
    id: 'address.passkeys',
    when: 'the address is under another domain',
    status: 'warning',
    facts: {
      settings: productionWith({
        ...PASSKEYS,
        WEBAUTHN_ORIGINS: 'https://app.example.com',
        AUTH_BASE_URL: 'https://auth.example.org',
      }),
    },
  },
];

const cookieMode = (changes: Record<string, string>) => ({
  settings: productionWith({ AUTH_WEB_COOKIE_MODE: 'true', ...changes }),
});

const cookieCases = (): CheckCase[] => [
  {
    id: 'address.cookies',
    when: 'origins are of the same site',
    status: 'ok',
    facts: cookieMode({ CORS_ORIGINS: 'https://app.example.com' }),
  },
  {
    id: 'address.cookies',
    when: 'an origin is of another site',
    status: 'warning',
    facts: cookieMode({ CORS_ORIGINS: 'https://app.example.org' }),
  },
  {
    id: 'address.cookies',
    when: 'an origin has another scheme',
    status: 'warning',
    facts: cookieMode({ CORS_ORIGINS: 'http://app.example.com' }),
  },
  {
    id: 'address.cookies',
    when: 'the address is http',
    status: 'error',
    facts: {
      settings: settingsWith({ AUTH_WEB_COOKIE_MODE: 'true', AUTH_BASE_URL: 'http://auth.example.com' }),
    },
  },
  { id: 'address.cookies', when: 'it is off', status: 'skipped', facts: { settings: productionWith() } },
];

const listBuiltAt = (date: string) => ({
  breachList: { path: '/srv/breached.list', entries: 1_200_000, builtAt: new Date(date) },
  runtime: { version: '24.0.0', now: new Date('2030-01-01') },
});

const breachListCases = (): CheckCase[] => [
  { id: 'machine.breach_list', when: 'it can be read', status: 'ok', facts: listBuiltAt('2029-12-01') },
  {
    id: 'machine.breach_list_age',
    when: 'it is a month old',
    status: 'ok',
    facts: listBuiltAt('2029-12-01'),
  },
  {
    id: 'machine.breach_list_age',
    when: 'it is two years old',
    status: 'warning',
    facts: listBuiltAt('2028-01-01'),
  },
];

const geoipBuiltAt = (date: string) => ({
  geoip: { path: '/srv/GeoLite2-City.mmdb', type: 'GeoLite2-City', builtAt: new Date(date) },
  runtime: { version: '24.0.0', now: new Date('2030-01-01') },
});

const geoipCases = (): CheckCase[] => [
  { id: 'machine.geoip', when: 'it can be read', status: 'ok', facts: geoipBuiltAt('2029-12-01') },
  { id: 'machine.geoip_age', when: 'it is a month old', status: 'ok', facts: geoipBuiltAt('2029-12-01') },
  { id: 'machine.geoip_age', when: 'it is old', status: 'warning', facts: geoipBuiltAt('2029-09-01') },
];
