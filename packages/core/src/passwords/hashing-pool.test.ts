import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Logger, silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { HashingPool, type HashingPoolOptions } from './hashing-pool.js';
import { HASHING_ENGINES, type HashingEngine, type HashingJob } from './hashing-protocol.js';

const parameters = { memoryKib: 19_456, iterations: 2, parallelism: 1 };
const job: HashingJob = { kind: 'hash', password: 'correct horse', parameters };
const worker = new URL('./password-worker.js', import.meta.url);

/** The real worker, but a crash job ends its thread by an uncaught error or by exiting. */
const fragileWorker = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ kind }) => {
      if (kind === 'throw') throw new Error('crashed');
      if (kind === 'exit') process.exit(3);
    });
    await import(${JSON.stringify(worker.href)});
  `)}`,
);
/** The real worker for the first thread; every other one ends before it is ready. */
const workerOnce = (flag: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(flag)}, '', { flag: 'wx' });
      await import(${JSON.stringify(worker.href)});
    `)}`,
  );
const crash = (kind: 'throw' | 'exit') => ({ kind }) as unknown as HashingJob;

async function startPool(options: Partial<HashingPoolOptions> = {}): Promise<HashingPool> {
  const { pool } = await HashingPool.start({
    observer: unobserved,
    script: worker,
    size: 1,
    maxQueue: 8,
    maxWaitMs: 5000,
    engines: HASHING_ENGINES,
    logger: silentLogger,
    ...options,
  });
  return pool;
}

describe('the number of threads', () => {
  it('grows only while jobs wait, and up to the maximum', async () => {
    const pool = await startPool({ size: 3 });
    for (let turn = 0; turn < 3; turn++) await pool.run(job);
    expect(pool.threadCount).toBe(1);
    const pair = [pool.run(job), pool.run(job)];
    expect(pool.threadCount).toBe(2);
    await Promise.all(pair);
    await Promise.all(Array.from({ length: 8 }, (_, index) => pool.run(job, `bucket ${index}`)));
    expect([pool.threadCount, pool.maxThreads, pool.queueDepth]).toEqual([3, 3, 0]);
    await pool.close();
  });

  it.each([
    ['of all buckets together', (index: number) => `bucket ${index}`, 3 + 8],
    ['of one bucket', () => 'bucket', 3 + 2],
  ])('does not change the capacity %s', async (_what, bucketOf, capacity) => {
    const pool = await startPool({ size: 3 });
    const jobs = Array.from({ length: 12 }, (_, index) => pool.run(job, bucketOf(index)));
    const outcomes = await Promise.allSettled(jobs);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(capacity);
    expect(Object.values(pool.capacity)).toContain(capacity);
    await pool.close();
  });

  it('does not grow again for each job while threads cannot start', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'latchkey-pool-'));
    const errors: object[] = [];
    const logger: Logger = { ...silentLogger, error: (details) => errors.push(details) };
    const pool = await startPool({ size: 3, logger, script: workerOnce(path.join(folder, 'started')) });
    const jobs = () => Promise.all(Array.from({ length: 6 }, (_, index) => pool.run(job, `bucket ${index}`)));
    const beganAt = performance.now();
    await jobs();
    await expect.poll(() => errors.length).toBeGreaterThanOrEqual(2);
    await jobs();
    // Both are tried again after a second.
    const seconds = Math.floor((performance.now() - beganAt) / 1000);
    expect(errors.length).toBeLessThanOrEqual(2 * (1 + seconds));
    await pool.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a worker that crashes', () => {
  it.each(['throw', 'exit'] as const)(
    'by %s fails only its own job: waiting jobs are completed',
    async (kind) => {
      const errors: object[] = [];
      const logger: Logger = { ...silentLogger, error: (details) => errors.push(details) };
      const pool = await startPool({ logger, script: fragileWorker });
      const outcomes = await Promise.allSettled([pool.run(crash(kind)), pool.run(job), pool.run(job)]);
      expect(outcomes).toMatchObject([
        { status: 'rejected', reason: { code: 'service_unavailable' } },
        { status: 'fulfilled', value: expect.stringMatching(/^\$argon2id\$/) as string },
        { status: 'fulfilled', value: expect.stringMatching(/^\$argon2id\$/) as string },
      ]);
      expect(errors).toHaveLength(1);
      await pool.close();
    },
  );

  it('leaves no job behind when the pool is closed at the same time', async () => {
    const pool = await startPool({ script: fragileWorker });
    const outcomes = Promise.allSettled([pool.run(crash('throw')), pool.run(job)]);
    await pool.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([pool.activeCount, pool.queueDepth]).toEqual([0, 0]);
  });
});

describe('an engine that fails', () => {
  it('fails the job and keeps the worker running', async () => {
    const pool = await startPool();
    const storedHash = { prefix: '', argon2: 'not a hash' };
    const impossible: HashingJob = { kind: 'verify', forms: ['x'], storedHash };
    await expect(pool.run(impossible)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await pool.run(job)).toMatch(/^\$argon2id\$/);
    await pool.close();
  });

  it('is skipped at start-up in favour of the next one', async () => {
    const engines = ['absent' as HashingEngine, 'argon2'] as const;
    const options = {
      script: worker,
      size: 1,
      maxQueue: 1,
      maxWaitMs: 5000,
      engines,
      logger: silentLogger,
      observer: unobserved,
    };
    const { pool, ready } = await HashingPool.start(options);
    expect(ready).toMatchObject({ engine: 'argon2', lowPriority: false });
    expect(ready.passedOver).toEqual([expect.stringMatching(/^absent: /)]);
    await pool.close();
  });

  it('aborts start-up if there is no other engine', async () => {
    const engines = ['absent' as HashingEngine];
    await expect(startPool({ engines, size: 2 })).rejects.toThrow(/^No Argon2 engine works here. absent: /);
  });
});
