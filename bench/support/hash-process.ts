import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../../packages/core/src/passwords/password-hasher.js';
import { ARGON2 } from './argon2.js';
import { LatencyHistogram } from './latency-histogram.js';
import type { Percentiles } from './load.js';

// Hashes passwords and does nothing else, with the threads of the service.

export interface HashWork {
  seconds: number;
  /** Passwords that are hashed or wait for a thread. */
  concurrency: number;
}

export interface HashResult {
  count: number;
  perSecond: number;
  latency: Percentiles;
}

const PASSWORD = 'correct horse battery staple';

const workers = Number(process.env.HASHING_THREADS);
const hasher = await PasswordHasher.start({ ...ARGON2, workers, observer: unobserved });
const stored = await hasher.hash(PASSWORD);

process.on('message', (work: HashWork) => {
  void verifyAll(work).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function verifyAll({ seconds, concurrency }: HashWork): Promise<HashResult> {
  const histogram = new LatencyHistogram();
  const end = performance.now() + seconds * 1000;
  let count = 0;
  let inTime = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now();
      await hasher.verify(stored, PASSWORD);
      histogram.record(performance.now() - started);
      count++;
      if (performance.now() <= end) inTime++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { count, perSecond: inTime / seconds, latency: histogram.percentiles() };
}
