import { counter, gauge, histogram } from './metric-definition.js';

const GC_BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5];

export const GC_KINDS = ['minor', 'major', 'incremental', 'weakcb'] as const;

/** Process metrics, under the names that Node.js services commonly use. */
export const processDefinitions = {
  cpu: counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    labels: {},
  }),
  startTime: gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process, in seconds since the epoch.',
    labels: {},
  }),
  residentMemory: gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, including password hashing.',
    labels: {},
  }),
  openFiles: gauge({
    name: 'process_open_fds',
    help: 'Open files and sockets. Linux only.',
    labels: {},
  }),
  maxFiles: gauge({
    name: 'process_max_fds',
    help: 'Files and sockets the process may open. Linux only.',
    labels: {},
  }),
  heapTotal: gauge({
    name: 'nodejs_heap_size_total_bytes',
    help: 'Heap of Node.js.',
    labels: {},
  }),
  heapUsed: gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Used part of the heap.',
    labels: {},
  }),
  externalMemory: gauge({
    name: 'nodejs_external_memory_bytes',
    help: 'Memory outside the heap held by objects in it.',
    labels: {},
  }),
  lagMean: gauge({
    name: 'nodejs_eventloop_lag_mean_seconds',
    help: 'Mean delay of the event loop since the last scrape. An idle process shows 0.01, the sampling interval.',
    labels: {},
  }),
  lagP99: gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: '99th percentile of the event loop delay since the last scrape.',
    labels: {},
  }),
  lagMax: gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'Longest event loop delay since the last scrape.',
    labels: {},
  }),
  gc: histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Pauses for garbage collection.',
    labels: { kind: GC_KINDS },
    buckets: GC_BUCKETS,
  }),
  version: gauge({
    name: 'nodejs_version_info',
    help: 'Always 1; the label is the version of Node.js.',
    labels: { version: 'such as `v20.20.0`' },
  }),
} as const;
