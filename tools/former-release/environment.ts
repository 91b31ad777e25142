import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generateSigningKey } from '../../packages/core/src/keys.js';
import { GuardedProcess } from '../../packages/testing/src/embedded-postgres/guarded-process.js';
import { TemporaryPostgres } from '../../packages/testing/src/embedded-postgres/temporary-postgres.js';
import { freePort } from '../shared/free-port.mjs';

export const INTERNAL_KEY = 'a-key-for-this-trial-of-two-versions';

/** What the replicas of both versions share. */
export interface Environment {
  settings: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts an empty PostgreSQL, and a Redis if one is installed; replicas do without one. */
export async function startEnvironment(): Promise<Environment> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-former-data-'));
  const postgres = await TemporaryPostgres.start();
  const redis = await startRedis(folder);
  return {
    settings: {
      APP_ENV: 'test',
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      ...(redis && { REDIS_URL: redis.url }),
      JWT_SIGNING_KEY_PEM: await generateSigningKey(),
      AUTH_BASE_URL: 'http://localhost:3000',
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      LOGIN_RATE_LIMIT: '100000',
      SHUTDOWN_DELAY: '0',
    },
    stop: async () => {
      await redis?.server.stop();
      await postgres.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startRedis(folder: string): Promise<{ url: string; server: GuardedProcess } | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const server = await GuardedProcess.start({
    command: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    stopSignal: 'KILL',
    readyWhen: /Ready to accept connections/,
    workingFolder: folder,
    path: process.env.PATH,
  });
  return { url: `redis://127.0.0.1:${port}`, server };
}
