import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import argon2 from 'argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError } from '../kernel/auth-error.js';
import { type Logger, silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { HASHING_ENGINES } from './hashing-protocol.js';
import { PasswordHasher } from './password-hasher.js';

const cheap = { memoryKib: 256, iterations: 1, parallelism: 1, observer: unobserved };
const specified = { memoryKib: 19_456, iterations: 2, parallelism: 1, observer: unobserved };

async function withHasher<T>(
  options: Parameters<typeof PasswordHasher.start>[0],
  use: (hasher: PasswordHasher) => Promise<T>,
): Promise<T> {
  const hasher = await PasswordHasher.start(options);
  try {
    return await use(hasher);
  } finally {
    await hasher.close();
  }
}

function isUnavailable(error: unknown): boolean {
  return AuthError.is(error) && error.code === 'service_unavailable';
}

/** Nice values of every thread of this process (field 19 of `stat`, proc(5)). */
function niceValues(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

/** The fast engine is an optional dependency: not every platform has it. */
const canLoad = (name: string) =>
  import(name).then(
    () => true,
    () => false,
  );
const hasFastEngine = await canLoad('@node-rs/argon2');

describe.each(HASHING_ENGINES.filter((name) => name === 'argon2' || hasFastEngine))(
  'hashing with %s',
  (engine) => {
    let hasher: PasswordHasher;
    beforeAll(async () => {
      hasher = await PasswordHasher.start({
        ...cheap,
        workers: 2,
        engine,
      });
    });
    afterAll(() => hasher.close());

    it('uses that engine', () => {
      expect(hasher.engine).toBe(engine);
    });

    it('creates PHC strings with the configured parameters and a new salt', async () => {
      const [one, two] = await Promise.all([hasher.hash('pass word1 '), hasher.hash('pass word1 ')]);
      expect(one).toMatch(/^\$argon2id\$v=19\$m=256,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      expect(one).not.toBe(two);
      expect(hasher.needsRehash(one)).toBe(false);
    });

    it('accepts the correct password and rejects others, including differences in spaces', async () => {
      const stored = await hasher.hash('pass word1 ');
      expect(await hasher.verify(stored, 'pass word1 ')).toBe(true);
      expect(await hasher.verify(stored, 'pass word1')).toBe(false);
      expect(await hasher.verify(stored, 'Pass word1 ')).toBe(false);
      expect(await hasher.verify(stored, '')).toBe(false);
    });

    it('treats two spellings of one password as equal (NFKC)', async () => {
      const stored = await hasher.hash('Café ﬁle Ⅷ');
      expect(await hasher.verify(stored, 'Cafe\u0301 file VIII')).toBe(true);
    });

    it('does not cut long passwords', async () => {
      const stored = await hasher.hash('🔑'.repeat(256));
      expect(await hasher.verify(stored, '🔑'.repeat(256))).toBe(true);
      expect(await hasher.verify(stored, '🔑'.repeat(255))).toBe(false);
    });

    it('verifies hashes of the other engine, which have the same form', async () => {
      for (const parallelism of [1, 2]) {
        const foreign = await argon2.hash('Schlüssel', { memoryCost: 512, timeCost: 2, parallelism });
        expect(await hasher.verify(foreign, 'Schlüssel')).toBe(true);
        expect(await hasher.verify(foreign, 'Schlussel')).toBe(false);
      }
      expect(await argon2.verify(await hasher.hash('Schlüssel'), 'Schlüssel')).toBe(true);
    });

    it('returns false for a decoy', async () => {
      expect(await hasher.verifyDecoy('anything', 'unknown@example.com')).toBe(false);
    });
  },
);

describe('a stored hash', () => {
  it('made with lower or higher parameters is to be renewed, and still verifies', async () => {
    const stronger = { ...cheap, memoryKib: 512, iterations: 2 };
    const [low, high] = await Promise.all(
      [cheap, stronger].map((options) => withHasher({ ...options, workers: 1 }, (h) => h.hash('same words'))),
    );
    await withHasher({ ...cheap, memoryKib: 384, iterations: 2, workers: 1 }, async (hasher) => {
      for (const stored of [low!, high!]) {
        expect(hasher.needsRehash(stored)).toBe(true);
        expect(await hasher.verify(stored, 'same words')).toBe(true);
      }
    });
  });

  it('of the specified cost is made and verified', async () => {
    await withHasher({ ...specified, workers: 1 }, async (hasher) => {
      const stored = await hasher.hash('correct horse');
      expect(stored).toContain('$m=19456,t=2,p=1$');
      expect(await hasher.verify(stored, 'correct horse')).toBe(true);
    });
  });

  it('that is malformed matches no password and is logged without its text', async () => {
    const lines: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (...line) => lines.push(line) };
    await withHasher({ ...cheap, workers: 1, logger }, async (hasher) => {
      const malformed = '$argon2id$v=19$m=4294967295,t=2,p=1$c2FsdHNhbHRzYWx0$c2VjcmV0';
      expect(await hasher.verify(malformed, 'any words')).toBe(false);
      expect(hasher.needsRehash(malformed)).toBe(true);
      expect(lines).toHaveLength(1);
      expect(JSON.stringify(lines)).not.toContain('c2VjcmV0');
    });
  });
});

describe('a password far longer than any policy allows', () => {
  it('never matches and cannot be set', async () => {
    await withHasher({ ...cheap, workers: 1 }, async (hasher) => {
      const stored = await hasher.hash('');
      expect(await hasher.verify(stored, 'e\u0301\u0323'.repeat(40_000))).toBe(false);
      expect(await hasher.verifyDecoy('a'.repeat(100_000), 'unknown@example.com')).toBe(false);
      await expect(hasher.hash('a'.repeat(100_000))).rejects.toMatchObject({ code: 'validation_error' });
    });
  });
});

describe('the queue', () => {
  it('rejects jobs beyond its capacity with a retry time, and completes the others', async () => {
    await withHasher({ ...specified, workers: 1, maxQueue: 2 }, async (hasher) => {
      const jobs = Array.from({ length: 5 }, (_, index) => hasher.hash('correct horse', `bucket ${index}`));
      expect([hasher.activeCount, hasher.queueDepth]).toEqual([1, 2]);
      const outcomes = await Promise.allSettled(jobs);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(outcomes.map(({ status }) => status)).toEqual([
        ...['fulfilled', 'fulfilled', 'fulfilled'],
        ...['rejected', 'rejected'],
      ]);
      expect(refused.every(({ reason }) => isUnavailable(reason))).toBe(true);
      expect((refused[0]?.reason as AuthError | undefined)?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect([hasher.activeCount, hasher.queueDepth]).toEqual([0, 0]);
    });
  });

  it('accepts at most a quarter of its capacity from one bucket, and reports that before any work', async () => {
    await withHasher({ ...cheap, workers: 1, maxQueue: 8, maxWaitMs: 60_000 }, async (hasher) => {
      expect(() => hasher.assertCapacity('flood')).not.toThrow();
      const flood = Array.from({ length: 20 }, () => hasher.hash('correct horse', 'flood'));
      const settled = Promise.allSettled(flood);
      expect([hasher.activeCount, hasher.queueDepth]).toEqual([1, 2]);
      expect(() => hasher.assertCapacity('flood')).toThrow(expect.toSatisfy(isUnavailable));
      expect(() => hasher.assertCapacity('other')).not.toThrow();
      expect(await hasher.hash('correct horse', 'other')).toMatch(/^\$argon2id\$/);
      const kept = (await settled).filter(({ status }) => status === 'fulfilled');
      expect(kept).toHaveLength(3);
    });
  });

  it('serves another bucket before the rest of a flood', async () => {
    await withHasher({ ...cheap, workers: 1, maxQueue: 40, maxWaitMs: 60_000 }, async (hasher) => {
      const order: string[] = [];
      const noted = (name: string) => hasher.hash('correct horse', name).then(() => void order.push(name));
      const flood = Array.from({ length: 8 }, () => noted('flood'));
      await Promise.all([...flood, noted('other')]);
      expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    });
  });

  it('counts all jobs without a bucket as one bucket', async () => {
    await withHasher({ ...cheap, workers: 1, maxQueue: 8, maxWaitMs: 60_000 }, async (hasher) => {
      const jobs = Array.from({ length: 8 }, () => hasher.hash('correct horse'));
      expect([hasher.activeCount, hasher.queueDepth]).toEqual([1, 2]);
      await Promise.allSettled(jobs);
    });
  });

  it('treats known accounts, unknown accounts and new passwords alike', async () => {
    await withHasher({ ...specified, workers: 1, maxQueue: 0 }, async (hasher) => {
      const stored = await hasher.hash('correct horse');
      const running = hasher.verify(stored, 'correct horse');
      const refused = [
        hasher.verify(stored, 'x'),
        hasher.verifyDecoy('x', 'unknown@example.com'),
        hasher.verify('?', 'x'),
        hasher.hash('x'),
      ];
      const outcomes = await Promise.allSettled(refused);
      expect(outcomes.every((o) => o.status === 'rejected' && isUnavailable(o.reason))).toBe(true);
      expect(await running).toBe(true);
    });
  });

  it('rejects jobs that wait longer than allowed', async () => {
    await withHasher({ ...specified, iterations: 8, workers: 1, maxWaitMs: 1 }, async (hasher) => {
      const [first, second] = await Promise.allSettled([hasher.hash('a'), hasher.hash('b')]);
      expect(first.status).toBe('fulfilled');
      expect(second.status === 'rejected' && isUnavailable(second.reason)).toBe(true);
    });
  });
});

describe('closing', () => {
  it('completes running jobs and rejects waiting and later ones', async () => {
    const hasher = await PasswordHasher.start({ ...specified, workers: 1 });
    const jobs = [
      hasher.hash('a', 'a'),
      hasher.hash('b', 'b'),
      hasher.verifyDecoy('c', 'unknown@example.com', 'c'),
    ];
    const settled = Promise.allSettled(jobs);
    await Promise.all([hasher.close(), hasher.close()]);
    const [running, ...others] = await settled;
    expect(running?.status).toBe('fulfilled');
    expect(others.every((o) => o.status === 'rejected' && isUnavailable(o.reason))).toBe(true);
    await expect(hasher.hash('d')).rejects.toSatisfy(isUnavailable);
  });
});

describe('the threads', () => {
  it.runIf(process.platform === 'linux' && hasFastEngine)(
    'run at low priority, and no other thread does',
    async () => {
      // The tests themselves may run at a lower priority than others.
      const own = os.getPriority(process.pid);
      const before = niceValues().filter((nice) => nice > own).length;
      const options = { ...cheap, workers: 1, engine: '@node-rs/argon2' } as const;
      await withHasher(options, async (hasher) => {
        await hasher.hash('any words');
        expect(hasher.lowPriority).toBe(true);
        expect(niceValues().filter((nice) => nice > own)).toHaveLength(before + 1);
        expect(os.getPriority(process.pid)).toBe(own);
      });
    },
  );
});

describe('wrong wiring', () => {
  it.each([
    { memoryKib: 7, iterations: 1, parallelism: 1 },
    { memoryKib: 15, iterations: 1, parallelism: 2 },
    { memoryKib: 19_456, iterations: 0, parallelism: 1 },
    { memoryKib: 19_456, iterations: 2, parallelism: 0 },
    { memoryKib: 4_294_967_295, iterations: 2, parallelism: 1 },
    { ...cheap, workers: 0 },
    { ...cheap, workers: 1.5 },
    { ...cheap, maxQueue: -1 },
    { ...cheap, maxWaitMs: 0 },
  ])('%j is refused at the start', async (options) => {
    await expect(PasswordHasher.start({ observer: unobserved, ...options })).rejects.toThrow(TypeError);
  });
});
