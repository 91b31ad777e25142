import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { AuthError } from '../kernel/auth-error.js';
import { silentLogger } from '../kernel/logger.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import { areUsableParameters } from './argon2-parameters.js';
import type { Argon2Parameters } from './argon2-parameters.js';
import { Decoys } from './decoys.js';
import { HashingPool, SHARED_BUCKET } from './hashing-pool.js';
import { HASHING_ENGINES } from './hashing-protocol.js';
import type { HashingEngine } from './hashing-protocol.js';
import { normalizedPassword } from './normalized-password.js';
import { passwordWorkerFile } from './password-worker-file.js';
import { hasParameters, parsePhcString } from './phc-string.js';

export interface PasswordHasherOptions extends Argon2Parameters {
  /** Threads that hash at the same time; the number of cores unless told otherwise, at least 1. */
  workers?: number | undefined;
  /** Passwords that may wait for a thread, a quarter of them of one bucket. Defaults to 64 for each thread. */
  maxQueue?: number | undefined;
  /** Milliseconds a password may wait for a thread; 3,000 unless told otherwise. */
  maxWaitMs?: number | undefined;
  /** Use this engine only, instead of the fastest that works. */
  engine?: HashingEngine | undefined;
  /** Cost of a sign-in to an account without a stored hash. Defaults to the configured parameters. */
  decoys?: Decoys | undefined;
  logger?: Logger | undefined;
  observer?: Observer | undefined;
}

const QUEUE_PER_WORKER = 64;
const MAX_WAIT_MS = 3000;

/**
 * Argon2id (RFC 9106) in worker threads, stored as PHC strings. Passwords are normalised (NFKC) here and nowhere
 * else. When the threads cannot keep up, every method that hashes throws `service_unavailable`. Their `bucket` names
 * for whom the work is, such as the bucket of an address: buckets take turns, and none holds more than a quarter of the
 * queue. Work without a bucket shares one.
 *
 * The engine is `@node-rs/argon2` where it is installed and passes a test with known hashes, else `argon2`; both
 * read and write the same strings. The first one works inside the threads, which on Linux run at lower priority,
 * so that other requests go first. The second one works in libuv's shared pool: the number of passwords hashed at
 * once is bounded all the same, but their priority is not lowered.
 */
export class PasswordHasher {
  /** The library that does the work. */
  readonly engine: HashingEngine;
  /** Whether the threads give way to other work of the machine. */
  readonly lowPriority: boolean;
  readonly #pool: HashingPool;
  readonly #parameters: Argon2Parameters;
  readonly #decoys: Decoys;
  readonly #logger: Logger;

  private constructor(
    options: PasswordHasherOptions,
    started: Awaited<ReturnType<typeof HashingPool.start>>,
  ) {
    const { memoryKib, iterations, parallelism, logger = silentLogger } = options;
    this.engine = started.ready.engine;
    this.lowPriority = started.ready.lowPriority;
    this.#pool = started.pool;
    this.#parameters = { memoryKib, iterations, parallelism };
    this.#decoys = options.decoys ?? new Decoys({ key: randomBytes(32), configured: this.#parameters });
    this.#logger = logger;
  }

  /**
   * Starts the threads and tests the engine.
   * @throws TypeError for parameters that Argon2id or this class does not allow.
   * @throws Error when no engine works here, or the threads' program is missing.
   */
  static async start(options: PasswordHasherOptions): Promise<PasswordHasher> {
    const { engine, logger = silentLogger, maxWaitMs = MAX_WAIT_MS } = options;
    const size = options.workers ?? os.availableParallelism();
    const maxQueue = options.maxQueue ?? size * QUEUE_PER_WORKER;
    assertOptions(options, [size, 1], [maxQueue, 0], [maxWaitMs, 1]);
    const started = await HashingPool.start({
      // Bundlers and tracers that know this form of an address take the file along.
      script: passwordWorkerFile(new URL('./password-worker.js', import.meta.url)),
      size,
      maxQueue,
      maxWaitMs,
      engines: engine ? [engine] : HASHING_ENGINES,
      logger,
      observer: options.observer,
    });
    const { passedOver } = started.ready;
    if (passedOver.length > 0) logger.info({ passedOver }, 'A faster password engine cannot be used here.');
    return new PasswordHasher(options, started);
  }

  /** Passwords that wait for a thread. */
  get queueDepth(): number {
    return this.#pool.queueDepth;
  }

  /** Threads that hash. */
  get threadCount(): number {
    return this.#pool.threadCount;
  }

  /** Passwords that can be in hand at once: of all buckets together, and of one. */
  get capacity(): { total: number; ofBucket: number } {
    return this.#pool.capacity;
  }

  /** The refusal of a password that finds no room, counted. */
  busy(): AuthError {
    return this.#pool.busy();
  }

  /** Passwords that are being hashed. */
  get activeCount(): number {
    return this.#pool.activeCount;
  }

  /**
   * Throws unless a password of this bucket would find a thread or a place in the queue now: to be asked before any
   * other work, so that what is turned away costs nothing.
   * @throws AuthError `service_unavailable`.
   */
  assertRoom(bucket?: string): void {
    this.#pool.assertRoom(bucket ?? SHARED_BUCKET);
  }

  /**
   * The PHC string to store for a password that the policy has accepted.
   * @throws AuthError `validation_error` for a password beyond any policy, `service_unavailable`.
   */
  async hash(password: string, bucket?: string): Promise<string> {
    const normalized = normalizedPassword(password);
    if (normalized === undefined) throw AuthError.validation('The password is too long.');
    const job = { kind: 'hash', password: normalized, parameters: this.#parameters } as const;
    return String(await this.#pool.run(job, bucket));
  }

  /**
   * Whether the password belongs to the stored hash. A stored hash that is malformed fits no password, costs the
   * configured work and is logged.
   * @throws AuthError `service_unavailable`.
   */
  async verify(storedHash: string, password: string, bucket?: string): Promise<boolean> {
    if (!parsePhcString(storedHash)) {
      this.#logger.error({ length: storedHash.length }, 'A stored password hash is malformed.');
      return this.#refuse(this.#decoys.configured, password, bucket);
    }
    const normalized = normalizedPassword(password);
    if (normalized === undefined) return this.#refuse(storedHash, '', bucket);
    return (await this.#pool.run({ kind: 'verify', password: normalized, storedHash }, bucket)) === true;
  }

  /**
   * The work of a verification, always false: for an unknown email and an account without a password, so that
   * time does not tell which accounts exist. The same email always costs the same, like one of the stored hashes.
   * @throws AuthError `service_unavailable`.
   */
  verifyDecoy(password: string, email: string, bucket?: string): Promise<false> {
    return this.#refuse(this.#decoys.of(email), password, bucket);
  }

  /** The work without the verdict. */
  async #refuse(storedHash: string, password: string, bucket: string | undefined): Promise<false> {
    await this.#pool.run(
      { kind: 'verify', password: normalizedPassword(password) ?? '', storedHash },
      bucket,
    );
    return false;
  }

  /** Reports whether the hash was made with other parameters than the configured ones, lower or higher. */
  needsRehash(storedHash: string): boolean {
    const parsed = parsePhcString(storedHash);
    return !parsed || !hasParameters(parsed, this.#parameters);
  }

  /** Lets running work finish, refuses what waits and ends the threads. Safe to call again. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

function assertOptions(parameters: Argon2Parameters, ...counts: [value: number, least: number][]): void {
  if (!areUsableParameters(parameters)) {
    throw new TypeError('Argon2id: memory 8 KiB per lane to 1 GiB, 1 to 256 iterations, 1 to 64 lanes.');
  }
  if (counts.some(([value, least]) => !Number.isInteger(value) || value < least)) {
    throw new TypeError('PasswordHasher: workers and maxWaitMs are at least 1, maxQueue is at least 0.');
  }
}
