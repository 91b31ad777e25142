import { check, error, ok, skipped, warning, type Check, type Verdict } from '../check.js';

export const durabilityChecks: readonly Check[] = [
  check({
    id: 'database.fsync',
    group: 'Database',
    title: 'fsync is on',
    why: 'Without it a crash of the machine may leave an unreadable database.',
    needs: ['database', 'settings'],
    judge: ({ database, settings }) => judgeSwitch('fsync', database.settings.fsync, settings.environment),
  }),
  check({
    id: 'database.full_page_writes',
    group: 'Database',
    title: 'full_page_writes is on',
    why: 'Without it a page that is half written in a crash is lost without notice.',
    needs: ['database', 'settings'],
    judge: ({ database, settings }) =>
      judgeSwitch('full_page_writes', database.settings.full_page_writes, settings.environment),
  }),
  check({
    id: 'database.synchronous_commit',
    group: 'Database',
    title: 'A commit is on disk before it is acknowledged',
    why: 'With it off, a crash undoes the last moments: ended sessions and used tokens become valid again.',
    needs: ['database'],
    judge: ({ database: { settings } }) =>
      settings.synchronous_commit === 'off'
        ? warning(
            'synchronous_commit is off',
            'run: ALTER SYSTEM SET synchronous_commit = on; then reload the server',
          )
        : ok(`synchronous_commit is ${settings.synchronous_commit}`),
  }),
];

function judgeSwitch(name: string, setting: string, environment: string): Verdict {
  if (setting === 'on') return ok('on');
  if (setting === '') return skipped('the server does not report it');
  const judged = environment === 'production' ? error : warning;
  return judged(setting, `run: ALTER SYSTEM SET ${name} = on; then reload the server`);
}
