import { check, error, ok, warning, type Check } from '../check.js';
import { isProduction } from '../situation.js';

/** Dead rows below this are nothing, whatever their share. */
const MANY_DEAD = 10_000;
/** Ended sessions, among those looked at, that are worth a clean-up. */
const MANY_ENDED = 10_000;

export const contentChecks: readonly Check[] = [
  check({
    id: 'database.superadmin',
    group: 'Database',
    title: 'Somebody is superadmin',
    why: 'Only a superadmin may make others administrators; without one it takes the command line.',
    needs: ['content', 'settings'],
    judge: ({ content: { superadmins }, settings }) => {
      if (superadmins > 0) return ok(`${superadmins} can sign in`);
      return (isProduction(settings) ? error : warning)('nobody', 'latchkey bootstrap');
    },
  }),
  check({
    id: 'database.vacuum',
    group: 'Database',
    title: 'Vacuum keeps up',
    why: 'Dead rows are read with the living ones, and make every look-up in their table slower.',
    needs: ['content'],
    judge: ({ content: { tables } }) => {
      const bloated = tables.filter(({ live, dead }) => dead > MANY_DEAD && dead > live);
      if (bloated.length === 0) return ok('no table has more dead rows than living ones');
      return warning(
        bloated.map(({ name, dead }) => `${name}: ${Math.round(dead)} dead rows`).join(', '),
        `run: VACUUM ${bloated[0]?.name ?? ''}; then see whether autovacuum is on and fast enough`,
      );
    },
  }),
  check({
    id: 'database.leftovers',
    group: 'Database',
    title: 'What has ended is cleaned up',
    why: 'The service deletes nothing: sessions that ended long ago make tables and backups larger for nobody.',
    needs: ['content'],
    judge: ({ content: { sessions } }) => {
      const found = `${sessions.ended} of ${sessions.seen} sessions looked at ended 90 days ago or earlier`;
      return sessions.ended >= MANY_ENDED ? warning(found, 'latchkey cleanup --run') : ok(found);
    },
  }),
];
