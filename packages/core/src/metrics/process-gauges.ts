import { readdir, readFile } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { makeCounter, makeGauge, setTotal } from './instruments.js';
import { processDefinitions as definitions } from './process-definitions.js';

const MICROSECONDS = 1e6;

/** Adds the facts that Node and the system know of this process to the registry. */
export function addProcessGauges(registry: Registry): void {
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
