import type { HostState } from '../../../packages/operations/src/doctor/probes/database-host-repository.js';
import type { DatabaseHostFacts } from '../../../packages/operations/src/doctor/probes/database-hosts-probe.js';
import type { CheckCase } from './check-case.js';

const PRIMARY: HostState = {
  isStandby: false,
  acceptsWrites: true,
  lagSeconds: null,
  synchronousStandbys: 'ANY 1 (*)',
};
const STANDBY: HostState = { isStandby: true, acceptsWrites: false, lagSeconds: 0, synchronousStandbys: '' };
const READ_ONLY: HostState = { ...PRIMARY, acceptsWrites: false };
const SILENT = 'connect ECONNREFUSED 10.0.0.2:5432';

const hosts = (...states: (HostState | string)[]): { databaseHosts: DatabaseHostFacts[] } => ({
  databaseHosts: states.map((state, index) => ({ host: `10.0.0.${index + 1}:5432`, state })),
});

/** Returns the cases of an address with several hosts. */
export const databaseHostCases = (): CheckCase[] => [
  ...(
    [
      ['there is a primary and a standby', 'ok', hosts(PRIMARY, STANDBY)],
      ['the standby is listed first', 'ok', hosts(STANDBY, PRIMARY)],
      ['a standby is far behind', 'warning', hosts(PRIMARY, { ...STANDBY, lagSeconds: 3600 })],
      ['a host does not respond', 'warning', hosts(PRIMARY, SILENT)],
      ['all are standbys', 'error', hosts(STANDBY, STANDBY)],
      ['the primary is read-only', 'error', hosts(READ_ONLY, STANDBY)],
      ['two accept writes', 'error', hosts(PRIMARY, PRIMARY)],
    ] as const
  ).map(([when, status, facts]) => ({ id: 'database.hosts', when, status, facts })),
  ...(
    [
      ['commits wait for a standby', 'ok', hosts(PRIMARY, STANDBY)],
      ['commits do not wait', 'warning', hosts({ ...PRIMARY, synchronousStandbys: '' }, STANDBY)],
      ['there is no primary', 'warning', hosts(STANDBY, SILENT)],
    ] as const
  ).map(([when, status, facts]) => ({ id: 'database.synchronous', when, status, facts })),
];
