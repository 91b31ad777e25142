import { readFileSync } from 'node:fs';

/** CPU seconds of all cores since the machine started. */
export interface MachineCpu {
  /** Work of processes, ours among them. */
  processes: number;
  /** Taken by the host of a virtual machine. */
  stolen: number;
}

/** Returns the counters of /proc/stat, or undefined where there are none. */
export function readMachineCpu(): MachineCpu | undefined {
  try {
    return parseMachineCpu(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return undefined;
  }
}

/** Parses the first line. Interrupts do not count: network traffic of our own processes causes them too. */
export function parseMachineCpu(text: string): MachineCpu {
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = text
    .slice(0, text.indexOf('\n'))
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / 100);
  return { processes: user + nice + system, stolen };
}
