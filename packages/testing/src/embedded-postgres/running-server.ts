import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isAlive, mayBePostgres } from './live-process.js';

/** The content of `postmaster.pid` for the server that holds a data folder. */
interface RunningServer {
  pid: number;
  port: number;
}

const PAUSE = 50;

/**
 * Returns the server that already holds the data folder, if it answers. The `postmaster.pid` of an ended
 * server is ignored. @throws Error if a live server holds the folder and does not answer.
 */
export async function findRunningServer(search: {
  dataFolder: string;
  /** Returns the URL of a server of this folder on that port. */
  urlOf(port: number): string;
  /** Milliseconds to wait for a server that is starting or stopping. */
  timeoutMs: number;
}): Promise<RunningServer | undefined> {
  const deadline = Date.now() + search.timeoutMs;
  for (;;) {
    const holder = readPostmasterFile(search.dataFolder);
    if (!holder || !isAlive(holder.pid)) return undefined;
    if (!mayBePostgres(holder.pid)) {
      // The number belongs to another program now; PostgreSQL itself would take that for a live server.
      fs.rmSync(postmasterFile(search.dataFolder), { force: true });
      return undefined;
    }
    if (await answers(search.urlOf(holder.port), search.dataFolder)) return holder;
    if (Date.now() > deadline) throw new Error(unanswered(holder.pid, search.dataFolder));
    await sleep(PAUSE);
  }
}

const postmasterFile = (dataFolder: string): string => path.join(dataFolder, 'postmaster.pid');

/** Reads the lines: process id, data folder, start time, port, and more. */
function readPostmasterFile(dataFolder: string): RunningServer | undefined {
  try {
    const lines = fs.readFileSync(postmasterFile(dataFolder), 'utf8').split('\n');
    // A negative number marks a single-user session.
    const pid = Math.abs(Number(lines[0]));
    return pid > 0 ? { pid, port: Number(lines[3] ?? 0) } : undefined;
  } catch {
    return undefined;
  }
}

async function answers(url: string, dataFolder: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await client.query<{ data_directory: string }>('show data_directory');
    return result.rows[0]?.data_directory === dataFolder;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unanswered(pid: number, dataFolder: string): string {
  return `Process ${pid} holds the database in ${dataFolder} and does not answer: end it, or set DATABASE_URL.`;
}
