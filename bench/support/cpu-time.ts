import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Clock ticks per second in /proc, which is 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;
const SECONDS_PER_TICK = 1 / TICKS_PER_SECOND;

/** False where CPU time cannot be read because the system has no /proc. */
export const canReadCpu: boolean = statOf(process.pid) !== undefined;

interface ProcessStat {
  parent: number;
  /** Seconds of the process with all of its threads, user and system. */
  own: number;
  /** Seconds of its children that ended. */
  endedChildren: number;
}

/** Returns CPU seconds of a process with all of its threads. @throws Error if the process has ended. */
export function processCpuSeconds(pid: number): number {
  return existing(pid).own;
}

/**
 * Returns CPU seconds of a process and its children, including those that ended: a PostgreSQL server with its connections.
 * @throws Error if the process has ended.
 */
export function familyCpuSeconds(pid: number): number {
  const { own, endedChildren } = existing(pid);
  const children = allPids()
    .map(statOf)
    .filter((stat) => stat?.parent === pid);
  return own + endedChildren + children.reduce((sum, stat) => sum + (stat?.own ?? 0), 0);
}

/**
 * Returns CPU seconds of a process and everything that it started, directly or not, ended processes included.
 * @throws Error if the process has ended.
 */
export function treeCpuSeconds(pid: number): number {
  const stats = new Map(allPids().flatMap((id) => entryOf(id)));
  if (!stats.has(pid)) throw new Error(`process ${pid} has ended`);
  const belongs = (id: number): boolean => id === pid || belongsToParent(stats.get(id));
  const belongsToParent = (stat: ProcessStat | undefined): boolean =>
    stat !== undefined && stat.parent !== 0 && belongs(stat.parent);
  return [...stats]
    .filter(([id]) => belongs(id))
    .reduce((sum, [, { own, endedChildren }]) => sum + own + endedChildren, 0);
}

function entryOf(pid: number): [number, ProcessStat][] {
  const stat = statOf(pid);
  return stat ? [[pid, stat]] : [];
}

/** Returns the bytes of a process in memory. @throws Error if the process has ended. */
export function residentBytes(pid: number): number {
  const pages = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(pages) * 1024;
}

/** Returns the bytes that a process had in memory at most. @throws Error if the process has ended. */
export function highestResidentBytes(pid: number): number {
  const highest = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(highest) * 1024;
}

/** Starts the measurement of `highestResidentBytes` anew, see proc(5). Linux only, for processes of the same user. */
export function resetHighestResidentBytes(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function existing(pid: number): ProcessStat {
  const stat = statOf(pid);
  if (!stat) throw new Error(`process ${pid} has ended`);
  return stat;
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Parses the format of proc(5). The name, in brackets, may contain spaces. */
function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * SECONDS_PER_TICK;
  return { parent: Number(fields[1]), own: seconds(11), endedChildren: seconds(13) };
}

const allPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
