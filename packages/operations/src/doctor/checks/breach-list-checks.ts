import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import { check, ok, reachCheck, warning, type Check } from '../check.js';

const OLD_LIST_DAYS = 365;

const BUILD = 'latchkey passwords build-list';

export const breachListChecks: readonly Check[] = [
  reachCheck({
    id: 'machine.breach_list',
    group: 'This machine',
    title: 'The list of breached passwords is complete',
    why: 'The service does not start without a list that is configured, and accepts breached passwords while it is damaged.',
    reaches: 'breachList',
    fix: `make it again: ${BUILD}`,
    judge: ({ path, entries }) => ok(`${entries.toLocaleString('en')} entries in ${path}`),
  }),
  check({
    id: 'machine.breach_list_age',
    group: 'This machine',
    title: 'The list of breached passwords is recent',
    why: 'Passwords of newer breaches are not on an old list.',
    needs: ['breachList', 'runtime'],
    judge: ({ breachList: { builtAt }, runtime: { now } }) => {
      const seconds = Math.max(0, (now.getTime() - builtAt.getTime()) / 1000);
      const found = `built ${roundedDurationText(seconds)} ago`;
      if (seconds <= OLD_LIST_DAYS * 86_400) return ok(found);
      return warning(found, `make it again from a newer source: ${BUILD}`);
    },
  }),
];
