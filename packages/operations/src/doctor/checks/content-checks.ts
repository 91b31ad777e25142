import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import { check, error, ok, warning, type Check } from '../check.js';
import { isProduction } from '../environment.js';

/** Fewer dead rows are harmless, whatever their share. */
const MANY_DEAD = 10_000;
/** Ended sessions in the sample that are worth a clean-up. */
const MANY_ENDED = 10_000;

/** A nightly clean-up leaves nothing that is so old. */
const OLD_REVOCATION_SECONDS = 7 * 86_400;

export const contentChecks: readonly Check[] = [
  check({
    id: 'database.superadmin',
    group: 'Database',
    title: 'There is a superadmin',
    why: 'Only a superadmin may make others administrators; without one the command line is needed.',
    needs: ['content', 'settings'],
    judge: ({ content: { superadmins }, settings }) => {
      if (superadmins > 0) return ok(`${superadmins} can sign in`);
      return (isProduction(settings) ? error : warning)('none', 'latchkey bootstrap');
    },
  }),
  check({
    id: 'database.vacuum',
    group: 'Database',
    title: 'Vacuum keeps up',
    why: 'Dead rows are read together with live ones and slow down every look-up in their table.',
    needs: ['content'],
    judge: ({ content: { tables } }) => {
      const bloated = tables.filter(({ live, dead }) => dead > MANY_DEAD && dead > live);
      if (bloated.length === 0) return ok('no table has more dead rows than live ones');
      return warning(
        bloated.map(({ name, dead }) => `${name}: ${Math.round(dead)} dead rows`).join(', '),
        `run: VACUUM ${bloated[0]?.name ?? ''}; then check that autovacuum is on and fast enough`,
      );
    },
  }),
  check({
    id: 'database.leftovers',
    group: 'Database',
    title: 'Ended sessions are cleaned up',
    why: 'The service itself deletes no rows: sessions that ended long ago enlarge tables and backups without use.',
    needs: ['content'],
    judge: ({ content: { sessions } }) => {
      const found = `${sessions.ended} of ${sessions.seen} sampled sessions ended 90 days ago or earlier`;
      return sessions.ended >= MANY_ENDED ? warning(found, 'latchkey cleanup --run') : ok(found);
    },
  }),
  check({
    id: 'database.revocations',
    group: 'Database',
    title: 'Old revocations are cleaned up',
    why: 'Entries of the revocation feed have no effect after 25 hours, and only a clean-up removes them.',
    needs: ['content'],
    judge: ({ content: { oldestRevocation: seconds } }) => {
      if (seconds === 0) return ok('none');
      const found = `the oldest is from ${roundedDurationText(seconds)} ago`;
      return seconds > OLD_REVOCATION_SECONDS
        ? warning(found, 'run latchkey cleanup --run every night')
        : ok(found);
    },
  }),
  check({
    id: 'database.deletions',
    group: 'Database',
    title: 'Deleted accounts are erased',
    why: 'Users who delete their account are promised that their personal data is erased after seven days.',
    needs: ['content', 'settings'],
    judge: ({ content: { deletions }, settings }) => {
      const { overdue, oldest } = deletions;
      if (overdue === 0) return ok('none is overdue');
      return warning(
        `${overdue} overdue by more than a day, the oldest for ${roundedDurationText(oldest)}`,
        settings.accountDeletion === 'off'
          ? 'set ACCOUNT_DELETION=self: while it is off, accounts are neither erased nor kept'
          : 'check that a service runs, and its log for "deletion"; hosts without timers call auth.admin.erasure.eraseDue()',
      );
    },
  }),
  check({
    id: 'keys.api_keys',
    group: 'Keys and secrets',
    title: 'API keys are in use and end',
    why: 'A key that is not used or does not end is one that may be lost unnoticed.',
    needs: ['content'],
    judge: ({ content: { apiKeys } }) => {
      const { withoutEnd, unused, ofInactiveCreators } = apiKeys;
      const found = [
        ...(withoutEnd > 0 ? [`${withoutEnd} do not expire`] : []),
        ...(unused > 0 ? [`${unused} were not used for 90 days`] : []),
        ...(ofInactiveCreators > 0
          ? [`${ofInactiveCreators} of companies were created by users who may no longer sign in`]
          : []),
      ];
      if (found.length === 0) return ok('none is unused, and all expire');
      return warning(found.join(', '), 'look at them: latchkey api-keys list --unused 90d');
    },
  }),
];
