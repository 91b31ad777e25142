import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isPortFree } from '../../packages/testing/src/embedded-postgres/free-port.js';
import { GuardedProcess } from '../../packages/testing/src/embedded-postgres/guarded-process.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { describeWith } from './describe-with.js';
import { waitUntil } from './wait-until.js';

export interface TestRedis {
  url: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
  /** Ends the server at once, by SIGKILL. A new one can take its port. */
  kill(): void;
  /** The server answers no client until `resume`, by SIGSTOP: what a client sees of a hanging machine. */
  pause(): void;
  resume(): void;
}

/**
 * A private, empty redis-server on a free port, or on `port` once its former holder has let go of it.
 * It ends with this process at the latest.
 */
export async function startRedis(extraArgs: readonly string[] = [], port?: number): Promise<TestRedis> {
  if (port === undefined) return startRedisOn(await freePort(), extraArgs);
  await waitUntil(() => isPortFree(port), { what: `port ${port} to be free` });
  return startRedisOn(port, extraArgs);
}

async function startRedisOn(port: number, extraArgs: readonly string[]): Promise<TestRedis> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-redis-'));
  const listen = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const server = await GuardedProcess.start({
    command: 'redis-server',
    args: [...listen, '--save', '', '--appendonly', 'no', ...extraArgs],
    // Nothing is to be saved, and it ends a paused server too.
    stopSignal: 'KILL',
    readyWhen: /Ready to accept connections/,
    workingFolder: folder,
    scrapFolder: folder,
    path: process.env.PATH,
  });
  const stop = async () => {
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: server.pid,
    stop,
    kill: () => {
      server.signal('SIGKILL');
      void stop();
    },
    pause: () => void server.signal('SIGSTOP'),
    resume: () => void server.signal('SIGCONT'),
  };
}

let available: boolean | undefined;

/** Reports whether redis-server is on the PATH. */
export function redisAvailable(): boolean {
  available ??= spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
  return available;
}

/** `describe` for tests that need a real Redis. */
export function describeWithRedis(title: string, body: () => void): void {
  const install = 'apt-get install redis-server';
  describeWith({ name: 'redis-server', isThere: redisAvailable(), install }, title, body);
}
