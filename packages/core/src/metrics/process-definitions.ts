import { counter, gauge, histogram } from './metric-definition.js';

const GC_BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5];

export const GC_KINDS = ['minor', 'major', 'incremental', 'weakcb'] as const;

/** Of the process, under the names that Node.js services commonly use for them. */
export const processDefinitions = {
  cpu: counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    labels: {},
  }),
  startTime: gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds of the epoch.',
    labels: {},
  }),
  residentMemory: gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is in RAM; the hashing of passwords is in it.',
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
    help: 'The part of the heap that is in use.',
    labels: {},
  }),
  externalMemory: gauge({
    name: 'nodejs_external_memory_bytes',
    help: 'Memory outside the heap that objects in it hold.',
    labels: {},
  }),
  lagMean: gauge({
    name: 'nodejs_eventloop_lag_mean_seconds',
    help: 'Mean delay of the event loop since the last scrape. An idle process shows 0.01: the interval at which it is sampled.',
    labels: {},
  }),
  lagP99: gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'The delay of the event loop that one sample in a hundred exceeded since the last scrape.',
    labels: {},
  }),
  lagMax: gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'The longest delay of the event loop since the last scrape.',
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
    help: 'Always 1; the label tells the version of Node.js.',
    labels: { version: 'such as `v20.20.0`' },
  }),
} as const;
