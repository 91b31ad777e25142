import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.js';

/** A time in which no write was acknowledged. */
export interface Outage {
  startMs: number;
  endMs: number;
}

export interface ProbeResult {
  sentAt: number;
  answeredAt: number;
  isAcknowledged: boolean;
}

const PAUSE_MS = 250;
const TIMEOUT_MS = 3_000;

/** Writes a little all the time, through HAProxy, to see when the service as a whole is unavailable. */
export class Probe {
  readonly results: ProbeResult[] = [];

  /** Changes the name of a user, as a machine does. */
  async run(api: Api, options: { userId: string; key: string; now: () => number; isOver: () => boolean }) {
    const { userId, key, now, isOver } = options;
    for (let count = 0; !isOver(); count++) {
      const sentAt = now();
      const body = { fullName: `Probe ${count}` };
      const path = `/internal/admin/users/${userId}`;
      const { status } = await api.send({ method: 'PATCH', path, key, body }, TIMEOUT_MS);
      this.results.push({ sentAt, answeredAt: now(), isAcknowledged: status === 200 });
      await sleep(PAUSE_MS);
    }
  }
}

/** Returns the times from the first write that failed to the next one that was acknowledged. */
export function outagesOf(results: readonly ProbeResult[]): Outage[] {
  const outages: Outage[] = [];
  let startMs: number | undefined;
  for (const { sentAt, answeredAt, isAcknowledged } of results) {
    if (!isAcknowledged) startMs ??= sentAt;
    else if (startMs !== undefined) {
      outages.push({ startMs, endMs: answeredAt });
      startMs = undefined;
    }
  }
  if (startMs !== undefined) outages.push({ startMs, endMs: Infinity });
  return outages;
}

/** Milliseconds after the end of a fault in which an outage may still begin because of it. */
const AFTERMATH_MS = 3_000;

/** Returns how long after the start of a fault writes were acknowledged again; 0 if they were all along. */
export function recoveryMs(fault: { startMs: number; endMs: number }, outages: readonly Outage[]): number {
  const ends = outages
    .filter(({ startMs, endMs }) => endMs > fault.startMs && startMs < fault.endMs + AFTERMATH_MS)
    .map(({ endMs }) => endMs - fault.startMs);
  return Math.max(0, ...ends);
}
