import { readdir, readFile } from 'node:fs/promises';
import { Registry } from 'prom-client';
import type { Observer } from '../kernel/observer.js';
import { EventLoopMetrics } from './event-loop-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { makeCounter, makeGauge, setTotal } from './instruments.js';
import { MetricsObserver } from './metrics-observer.js';
import { processDefinitions as definitions } from './process-definitions.js';
import { addServiceGauges, type MeasuredParts } from './service-gauges.js';

const MICROSECONDS = 1e6;

/** Adds the facts that Node and the system know of this process to the registry. */
function addProcessGauges(registry: Registry): void {
  const startedAt = Date.now() / 1000 - process.uptime();
  makeGauge(registry, definitions.startTime, (gauge) => gauge.set(startedAt));
  makeGauge(registry, definitions.version, (gauge) => gauge.set({ version: process.version }, 1));
  makeCounter(registry, definitions.cpu, (counter) => {
    const { user, system } = process.cpuUsage();
    setTotal(counter, [{ labels: {}, total: (user + system) / MICROSECONDS }]);
  });
  addMemory(registry);
  addFiles(registry);
}

function addMemory(registry: Registry): void {
  makeGauge(registry, definitions.residentMemory, (gauge) => gauge.set(process.memoryUsage.rss()));
  makeGauge(registry, definitions.heapTotal, (gauge) => gauge.set(process.memoryUsage().heapTotal));
  makeGauge(registry, definitions.heapUsed, (gauge) => gauge.set(process.memoryUsage().heapUsed));
  makeGauge(registry, definitions.externalMemory, (gauge) => gauge.set(process.memoryUsage().external));
}

/** Adds the counts of open files. Only Linux reports them without another process. */
function addFiles(registry: Registry): void {
  if (process.platform !== 'linux') return;
  makeGauge(registry, definitions.openFiles, async (gauge) => {
    const open = await readdir('/proc/self/fd').catch(() => undefined);
    if (open) gauge.set(open.length);
  });
  makeGauge(registry, definitions.maxFiles, async (gauge) => {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    if (most !== undefined) gauge.set(Number(most));
  });
}

/**
 * The metrics of one auth, for Prometheus. They contain no person, address, company or secret.
 * @example
 * ```ts
 * const text = await auth.metrics.text();
 * ```
 */
export class Metrics {
  /** The registry of this auth alone; a host app adds its own with prom-client's `Registry.merge`. */
  readonly registry = new Registry();
  readonly observer: Observer;
  /** The metrics of requests, for the module that serves the routes. */
  readonly http: HttpMetrics;
  #eventLoop: EventLoopMetrics | undefined;

  constructor() {
    this.observer = new MetricsObserver(this.registry);
    this.http = new HttpMetrics(this.registry);
  }

  /** Starts to measure gauges that change by themselves, until `close`. */
  watch(parts: MeasuredParts): void {
    addServiceGauges(this.registry, parts);
    addProcessGauges(this.registry);
    this.#eventLoop = new EventLoopMetrics(this.registry);
  }

  /** `text/plain` in the version of the exposition format that `text` uses. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /**
   * Returns all metrics in Prometheus' text format. An unavailable dependency leaves a gap, and takes a
   * second at most.
   */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Stops measuring; the counted values can still be read. */
  close(): void {
    this.#eventLoop?.stop();
  }
}
