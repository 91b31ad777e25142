import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import { check, error, ok, warning, type Check, type Verdict } from '../check.js';
import type { HostState } from '../probes/database-host-repository.js';
import type { DatabaseHostFacts } from '../probes/database-hosts-probe.js';

/** Seconds by which a standby may be behind. */
const LATE_SECONDS = 30;

/** Checks of an address with several hosts. */
export const databaseHostChecks: readonly Check[] = [
  check({
    id: 'database.hosts',
    group: 'Database',
    title: 'One host of DATABASE_URL accepts writes, and the others are standbys',
    why: 'The service uses the host that accepts writes, and follows it to a promoted standby.',
    needs: ['databaseHosts'],
    judge: ({ databaseHosts: hosts }) => {
      const found = hosts.map(hostText).join(', ');
      const writable = hosts.filter((each) => stateOf(each)?.acceptsWrites === true).length;
      if (writable === 0) return error(found, 'promote a standby, or correct the hosts of DATABASE_URL');
      if (writable > 1)
        return error(found, 'stop the former primary at once: data of two primaries cannot be merged');
      return judgeStandbys(hosts, found);
    },
  }),
  check({
    id: 'database.synchronous',
    group: 'Database',
    title: 'Commits wait for a standby',
    why: 'Otherwise a failover can lose the last acknowledged writes: ended sessions and used tokens become valid again.',
    needs: ['databaseHosts'],
    judge: ({ databaseHosts: hosts }) => {
      const primary = hosts.map(stateOf).find((state) => state?.acceptsWrites === true);
      if (!primary) return warning('no primary was reached', 'see the check database.hosts');
      return primary.synchronousStandbys === ''
        ? warning(
            'synchronous_standby_names is empty',
            "run on the primary: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'; then reload it",
          )
        : ok(`synchronous_standby_names is ${primary.synchronousStandbys}`);
    },
  }),
];

function judgeStandbys(hosts: readonly DatabaseHostFacts[], found: string): Verdict {
  if (hosts.some((each) => stateOf(each) === undefined)) {
    return warning(found, 'start the host that does not respond, or correct it in DATABASE_URL');
  }
  const isLate = hosts.some((each) => (stateOf(each)?.lagSeconds ?? 0) > LATE_SECONDS);
  return isLate
    ? warning(found, 'find out why the standby is behind: SELECT * FROM pg_stat_replication')
    : ok(found);
}

const stateOf = ({ state }: DatabaseHostFacts): HostState | undefined =>
  typeof state === 'string' ? undefined : state;

function hostText({ host, state }: DatabaseHostFacts): string {
  if (typeof state === 'string') return `${host} does not respond (${state})`;
  if (!state.isStandby) return state.acceptsWrites ? `${host} is the primary` : `${host} is read-only`;
  const { lagSeconds } = state;
  return `${host} is a standby${lagSeconds === null || lagSeconds < 1 ? '' : `, ${roundedDurationText(lagSeconds)} behind`}`;
}
