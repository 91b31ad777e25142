import type { Settings } from '@latchkey/core/internal/settings/settings';
import { check, error, ok, skipped, warning, type Check } from '../check.js';
import { isProduction } from '../environment.js';
import { isLocalAddress } from '../local-address.js';

export const settingsChecks: readonly Check[] = [
  check({
    id: 'settings.valid',
    group: 'Settings',
    title: 'Every setting is present and valid',
    why: 'With a missing or invalid setting the service does not start, and the checks that depend on it are skipped.',
    needs: ['inspection'],
    judge: ({ inspection: { faults, entries } }) => {
      if (faults.length > 0) {
        return error(
          `${faults.map(({ name }) => name).join(', ')}: missing or wrong`,
          'latchkey config check',
        );
      }
      const set = entries.filter(({ origin }) => origin !== 'default' && origin !== 'derived').length;
      return ok(`${set} set, ${entries.length - set} by default`);
    },
  }),
  check({
    id: 'settings.used',
    group: 'Settings',
    title: 'Every given setting has an effect',
    why: 'A misspelt setting is not read, and its intended value does not apply.',
    needs: ['inspection'],
    judge: ({ inspection: { warnings } }) =>
      warnings.length === 0
        ? ok('no unknown or unused names')
        : warning(warnings.map(({ name }) => name).join(', '), 'latchkey config check'),
  }),
  check({
    id: 'settings.embedded',
    group: 'Settings',
    title: 'No embedded service is used in public',
    why: 'Embedded services keep data and keys in one folder of one machine, without backup and not shared.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const embedded = embeddedIn(settings);
      if (embedded.length === 0) return ok('nothing is embedded');
      const found = `embedded: ${embedded.join(', ')}`;
      if (isLocalAddress(settings.http.baseUrl)) return ok(`${found}; the address is local`);
      return warning(
        found,
        `set APP_ENV=production, since the service is public at ${settings.http.baseUrl}`,
      );
    },
  }),
  check({
    id: 'settings.log_level',
    group: 'Settings',
    title: 'The log level is suitable for production',
    why: 'At level debug each request writes additional lines: the log grows fast and contains more personal data.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const { level } = settings.log;
      const isTalkative = level === 'debug' || level === 'trace';
      if (isProduction(settings) && isTalkative) return warning(level, 'set LOG_LEVEL=info');
      if (isProduction(settings) && level === 'silent') return warning(level, 'set LOG_LEVEL=info');
      return ok(level);
    },
  }),
  check({
    id: 'settings.registration',
    group: 'Settings',
    title: 'Public registration is intended',
    why: 'Anyone who finds the service can create an account, which then waits for approval and must be reviewed.',
    needs: ['settings'],
    judge: ({ settings }) => {
      if (!settings.registration.enabled) return ok('registration is off');
      if (!isProduction(settings)) return skipped('registration is open; checked in production only');
      return warning(
        'registration is open in production',
        'set PUBLIC_REGISTRATION_ENABLED=false, unless public registration is intended',
      );
    },
  }),
];

function embeddedIn({ environment, database, redis, tokens, mail }: Settings): string[] {
  if (environment === 'production') return [];
  return [
    ...(database.url === undefined ? ['database'] : []),
    ...(redis.url === undefined && !redis.inMemory ? ['Redis'] : []),
    ...(tokens.signingKeyPem === undefined ? ['signing key'] : []),
    ...(mail.smtpUrl === undefined && !mail.byApp ? ['mail'] : []),
  ];
}
