import { readdirSync } from 'node:fs';
import type { Client } from 'pg';
import { residentBytes } from '../cpu-time.js';
import { median } from '../statistics.js';

/** What must stay flat. */
export interface VitalSigns {
  /** Bytes of the process in memory. */
  memory: number;
  /** Open files and sockets of the process. */
  handles: number;
  /** Connections of the service to PostgreSQL. */
  connections: number;
}

type VitalSign = keyof VitalSigns;

/** Connections that the pool of the service opens as requests need them: the default of `DATABASE_POOL_MAX`. */
const POOL = 10;

/** Growth between the middle and the last third of a run, by this share and this much; up to `full` a value may always grow. */
const ALLOWED: Record<VitalSign, { share: number; amount: number; full: number }> = {
  memory: { share: 0.1, amount: 8_000_000, full: 0 },
  handles: { share: 0, amount: 8, full: 0 },
  connections: { share: 0, amount: 2, full: POOL },
};

/** V8 grows its heap during the first minutes. */
const LEAST_SECONDS_FOR_MEMORY = 300;

export async function readVitalSigns(pid: number, sql: Client): Promise<VitalSigns> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'latchkey'`,
  );
  return {
    memory: residentBytes(pid),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    connections: rows[0]?.count ?? 0,
  };
}

/** The medians of a sign in each third of a run. */
export interface Course {
  sign: VitalSign;
  thirds: [number, number, number];
  isJudged: boolean;
  isFlat: boolean;
}

/** Returns how each sign developed. The first third is for warming up. */
export function coursesOf(samples: readonly VitalSigns[], seconds: number): Course[] {
  return (Object.keys(ALLOWED) as VitalSign[]).map((sign) => {
    const [first, middle, last] = thirdsOf(samples.map((each) => each[sign])).map(median);
    const thirds: Course['thirds'] = [first ?? 0, middle ?? 0, last ?? 0];
    const { share, amount, full } = ALLOWED[sign];
    const most = Math.max(full, thirds[1] * (1 + share) + amount);
    const isJudged = sign !== 'memory' || seconds >= LEAST_SECONDS_FOR_MEMORY;
    return { sign, thirds, isJudged, isFlat: thirds[2] <= most };
  });
}

function thirdsOf(values: readonly number[]): number[][] {
  const size = Math.ceil(values.length / 3);
  return [0, 1, 2].map((third) => values.slice(third * size, (third + 1) * size));
}
