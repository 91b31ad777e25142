import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { GuardedProcess } from '../../packages/testing/src/embedded-postgres/guarded-process.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { startRedis, type TestRedis } from './redis.js';
import { waitUntil } from './wait-until.js';

const NAME = 'latchkey';
const SENTINELS = 3;
/** Milliseconds without an answer after which a Sentinel takes the master for dead. */
const DOWN_AFTER = 500;

interface Sentinel {
  port: number;
  process: GuardedProcess;
}

/** A master, its replica, and three Sentinels that watch them. */
export class SentinelRedis {
  readonly master: TestRedis;
  readonly #replica: TestRedis;
  readonly #sentinels: readonly Sentinel[];

  private constructor(master: TestRedis, replica: TestRedis, sentinels: readonly Sentinel[]) {
    this.master = master;
    this.#replica = replica;
    this.#sentinels = sentinels;
  }

  static async start(): Promise<SentinelRedis> {
    const master = await startRedis(['--repl-diskless-sync-delay', '0']);
    const replica = await startRedis(['--replicaof', '127.0.0.1', String(master.port)]);
    const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startSentinel(master.port)));
    const redis = new SentinelRedis(master, replica, sentinels);
    await redis.#untilWatched();
    return redis;
  }

  get url(): string {
    const hosts = this.#sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `redis+sentinel://${hosts}/${NAME}`;
  }

  /** Waits until the Sentinels report the replica as master. */
  async untilPromoted(): Promise<void> {
    const isPromoted = async () => {
      const address = await this.#ask((sentinel) =>
        sentinel.call('sentinel', 'get-master-addr-by-name', NAME),
      );
      return Array.isArray(address) && address[1] === String(this.#replica.port);
    };
    await waitUntil(isPromoted, { what: 'a promoted replica' });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sentinels.map(({ process }) => process.stop()));
    await Promise.all([this.master.stop(), this.#replica.stop()]);
  }

  /** A failover needs each Sentinel to know the replica, and the other Sentinels. */
  async #untilWatched(): Promise<void> {
    const isWatched = async () => {
      const info = await this.#ask((sentinel) => sentinel.info('sentinel'));
      return info.includes(`slaves=1,sentinels=${SENTINELS}`);
    };
    await waitUntil(isWatched, { what: 'Sentinels that know each other' });
  }

  async #ask<T>(question: (sentinel: Redis) => Promise<T>): Promise<T> {
    const sentinel = new Redis(this.#sentinels[0]?.port ?? 0, '127.0.0.1', { maxRetriesPerRequest: 1 });
    try {
      return await question(sentinel);
    } finally {
      sentinel.disconnect();
    }
  }
}

async function startSentinel(masterPort: number): Promise<Sentinel> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-sentinel-'));
  const file = path.join(folder, 'sentinel.conf');
  const port = await freePort();
  fs.writeFileSync(
    file,
    `port ${port}\nbind 127.0.0.1\ndir ${folder}\nsentinel monitor ${NAME} 127.0.0.1 ${masterPort} 2\n` +
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER}\nsentinel failover-timeout ${NAME} 3000\n`,
  );
  const process_ = await GuardedProcess.start({
    command: 'redis-server',
    args: [file, '--sentinel'],
    stopSignal: 'KILL',
    readyWhen: /monitor master/,
    workingFolder: folder,
    scrapFolder: folder,
    path: process.env.PATH,
  });
  return { port, process: process_ };
}
