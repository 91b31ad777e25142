import type { Settings } from '../../settings/settings.js';
import { check, error, ok, skipped, warning, type Check } from '../check.js';
import { isLocalAddress, isProduction } from '../situation.js';

export const settingsChecks: readonly Check[] = [
  check({
    id: 'settings.valid',
    group: 'Settings',
    title: 'Every setting is there and right',
    why: 'With a missing or faulty setting the service does not start, and what depends on it cannot be looked at.',
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
    title: 'Every setting that is given has an effect',
    why: 'A misspelt name is not read, and what was meant by it does not hold.',
    needs: ['inspection'],
    judge: ({ inspection: { warnings } }) =>
      warnings.length === 0
        ? ok('no unknown or idle names')
        : warning(warnings.map(({ name }) => name).join(', '), 'latchkey config check'),
  }),
  check({
    id: 'settings.embedded',
    group: 'Settings',
    title: 'Nothing embedded serves people',
    why: 'Embedded stand-ins keep data and keys in one folder of one machine: nothing backs them up or shares them.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const embedded = embeddedIn(settings);
      if (embedded.length === 0) return ok('nothing is embedded');
      const found = `embedded: ${embedded.join(', ')}`;
      if (isLocalAddress(settings.http.baseUrl)) return ok(`${found}; the address is local`);
      return warning(found, `set APP_ENV=production, since people reach it at ${settings.http.baseUrl}`);
    },
  }),
  check({
    id: 'settings.log_level',
    group: 'Settings',
    title: 'The log says no more than production needs',
    why: 'At debug each request writes lines of its own: the log grows fast, and holds more about people.',
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
    title: 'Strangers can only register where that is meant',
    why: 'Anybody who finds the service can make an account, which then waits for approval and has to be looked at.',
    needs: ['settings'],
    judge: ({ settings }) => {
      if (!settings.registration.enabled) return ok('registration is off');
      if (!isProduction(settings)) return skipped('registration is open; that matters in production');
      return warning(
        'registration is open in production',
        'set PUBLIC_REGISTRATION_ENABLED=false, unless it is meant',
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
    ...(mail.smtpUrl === undefined ? ['mail'] : []),
  ];
}
