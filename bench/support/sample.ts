import type { Percentiles } from './load.js';

/** The figures of one contestant in one round. */
export interface Sample {
  /** Completed units of work: requests, hashes, starts. */
  count: number;
  perSecond: number;
  latency?: Percentiles;
  /** Microseconds of CPU of the server process, per unit. Undefined without /proc. */
  serverCpuUs?: number;
  /** Microseconds of CPU of PostgreSQL, per unit. */
  databaseCpuUs?: number;
  /** Cores that the load process kept busy. */
  clientCores?: number;
  /** True if the load process was the bottleneck. */
  saturated?: boolean;
  /** Share of all cores used by processes that do not belong to the run. */
  otherCpu?: number;
  /** Share of all cores taken by the host of a virtual machine. */
  stolenCpu?: number;
  /** Further figures, such as milliseconds of a start. */
  figures?: Record<string, number>;
}

/** The samples of one round, by contestant. */
export type Round = Readonly<Record<string, Sample>>;

/** Returns microseconds of CPU per unit of server and PostgreSQL together, or NaN without /proc. */
export const cpuOf = (sample: Sample | undefined): number =>
  sample?.serverCpuUs === undefined ? NaN : sample.serverCpuUs + (sample.databaseCpuUs ?? 0);
