import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { silentLogger, type Logger } from '../kernel/logger.js';
import { Decoys, type StoredHashKind } from '../passwords/decoys.js';
import { DecoyRefresh } from './decoy-refresh.js';

const OLD = '$argon2id$v=19$m=8192,t=1,p=1';
const EMAIL = 'no-user@example.com';

const newDecoys = () =>
  new Decoys({ key: Buffer.alloc(32), configured: { memoryKib: 19_456, iterations: 2, parallelism: 1 } });

it('a start does not wait for the sample of stored hashes, which counts once it is read', async () => {
  const decoys = newDecoys();
  let answer: (kinds: StoredHashKind[]) => void = () => undefined;
  const sample = new Promise<StoredHashKind[]>((resolve) => (answer = resolve));
  const refresh = new DecoyRefresh(decoys, { kinds: () => sample }, silentLogger);
  refresh.start();
  await turn();
  expect(decoys.hashFor(EMAIL)).toBe(decoys.configured);
  answer([{ prefix: OLD, count: 1 }]);
  await waitUntil(() => decoys.hashFor(EMAIL).startsWith(OLD), { what: 'the kinds of the sample' });
  await refresh.stop();
});

it('a sample that cannot be read is logged, and the cost stays that of new hashes', async () => {
  const decoys = newDecoys();
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (...details: unknown[]) => void warnings.push(details) };
  const refresh = new DecoyRefresh(decoys, { kinds: () => Promise.reject(new Error('gone')) }, logger);
  refresh.start();
  await refresh.stop();
  expect(warnings).toHaveLength(1);
  expect(decoys.hashFor(EMAIL)).toBe(decoys.configured);
});
