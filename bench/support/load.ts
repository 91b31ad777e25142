/** A request that differs from the others of its load. */
export interface RequestVariant {
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * A credential that each response replaces, such as a refresh token. Connection i starts with `values[i]`. `{value}` in
 * the body, the headers or the path of a variant is replaced by the current one.
 */
export interface Chain {
  values: readonly string[];
  /** Path of the next value in the JSON response, such as `['data', 'refreshToken']`. */
  next: readonly string[];
}

/**
 * Requests to one server. `{unique}` in the body, the headers or the path of a variant is replaced by a text that no other
 * request has.
 */
interface Load {
  /** Address of the server and default path. */
  url: string;
  /** Defaults to GET. */
  method?: 'GET' | 'POST';
  /** A body is sent as JSON unless `content-type` says otherwise. */
  headers?: Record<string, string>;
  body?: string;
  /** Replace path, headers and body. Connections take turns through the list: connection i of n sends i, i + n, … */
  variants?: readonly RequestVariant[];
  /** Statuses that count as success. Defaults to every 2xx. */
  expect?: readonly number[];
  connections: number;
  seconds: number;
}

/** Each connection sends its next request as soon as it has the response to the last one. */
export interface ClosedLoad extends Load {
  kind: 'closed';
  chain?: Chain;
}

/**
 * Requests start at fixed times whatever the server does. Latency counts from the scheduled time, so a server that stalls
 * delays every request that was due meanwhile.
 */
export interface OpenLoad extends Load {
  kind: 'open';
  /** Requests per second. Up to about 200 they start within some 0.1 ms of their time. */
  rate: number;
}

export type AnyLoad = ClosedLoad | OpenLoad;

/** Milliseconds. */
export interface Percentiles {
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

export interface LoadResult {
  /** Answered requests, including those that were open when the time was over. */
  count: number;
  /** Requests answered in time, per second. */
  perSecond: number;
  /** Number of answered requests by status. */
  statuses: Record<number, number>;
  latency: Percentiles;
  /** Cores that the load process kept busy; 1 is one core. */
  clientCores: number;
  /** True if the load process was the bottleneck: it never waited, or it sent requests late. */
  saturated: boolean;
  /** Milliseconds between the scheduled and the actual start of a request. Only for open loads. */
  lateness?: Percentiles;
  /** Last value of each connection, for the next round. Only for loads with a chain. */
  chain?: string[];
}
