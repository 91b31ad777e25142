import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { AuthError } from '../kernel/auth-error.js';
import { silentLogger, type Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import { areUsableParameters, type Argon2Parameters } from './argon2-parameters.js';
import { toBase64 } from './base64.js';
import { Decoys } from './decoys.js';
import { wrappedForm } from './foreign/wrapped-hash.js';
import { HashingPool, SHARED_BUCKET } from './hashing-pool.js';
import { HASHING_ENGINES, type HashingEngine } from './hashing-protocol.js';
import { normalizedPassword } from './normalized-password.js';
import { passwordWorkerFile } from './password-worker-file.js';
import { hasParameters, parsePhcString } from './phc-string.js';
import { parseStoredHash, type StoredHash } from './stored-hash.js';

export interface PasswordHasherOptions extends Argon2Parameters {
  /** Maximum number of threads, at least 1. Defaults to the number of cores. They start when passwords wait. */
  workers?: number | undefined;
  /** Maximum number of waiting passwords, a quarter of them of one bucket. Defaults to 64 per thread. */
  maxQueue?: number | undefined;
  /** Milliseconds a password may wait for a thread. Defaults to 3,000. */
  maxWaitMs?: number | undefined;
  /** The only engine to use. Defaults to the fastest one that works. */
  engine?: HashingEngine | undefined;
  /** Hashes for sign-ins to accounts without a stored hash. Their cost defaults to the configured parameters. */
  decoys?: Decoys | undefined;
  logger?: Logger | undefined;
  observer: Observer;
}

const QUEUE_PER_WORKER = 64;
const MAX_WAIT_MS = 3000;

/**
 * Hashes passwords with Argon2id (RFC 9106) in worker threads and encodes the hashes as PHC strings. Hashes of other
 * systems are verified until the next sign-in replaces them. Passwords are normalized (NFKC) here and nowhere else. If the threads cannot keep up, every method that hashes throws
 * `service_unavailable`. The `bucket` parameter identifies the client, such as the bucket of its address: buckets take
 * turns, and none holds more than a quarter of the queue. Jobs without a bucket share one.
 *
 * The engine is `@node-rs/argon2` if it is installed and reproduces known hashes, otherwise `argon2`. Both read and write
 * the same strings. The former hashes inside the threads, which run at lower priority on Linux, so that other requests
 * have precedence. The latter hashes in libuv's shared thread pool: the number of concurrent hashes is also limited, but
 * their priority is not lowered.
 */
export class PasswordHasher {
  /** The library in use. */
  readonly engine: HashingEngine;
  /** True if the threads run at a lower priority. */
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
   * Starts a thread and tests the engine.
   * @throws TypeError for parameters that Argon2id or this class does not allow.
   * @throws Error if no engine works on this machine, or the worker file is missing.
   */
  static async start(options: PasswordHasherOptions): Promise<PasswordHasher> {
    const { engine, logger = silentLogger, maxWaitMs = MAX_WAIT_MS } = options;
    const size = options.workers ?? os.availableParallelism();
    const maxQueue = options.maxQueue ?? size * QUEUE_PER_WORKER;
    assertOptions(options, [size, 1], [maxQueue, 0], [maxWaitMs, 1]);
    const started = await HashingPool.start({
      // Bundlers and tracers that recognize this form of URL include the file.
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

  /** Number of passwords that wait for a thread. */
  get queueDepth(): number {
    return this.#pool.queueDepth;
  }

  /** Maximum number of threads. */
  get maxThreads(): number {
    return this.#pool.maxThreads;
  }

  /** Maximum number of passwords being hashed or waiting: of all buckets together, and of one bucket. */
  get capacity(): { total: number; ofBucket: number } {
    return this.#pool.capacity;
  }

  /** Counts a rejected password and returns its error. */
  countRejection(): AuthError {
    return this.#pool.countRejection();
  }

  /** Number of passwords being hashed. */
  get activeCount(): number {
    return this.#pool.activeCount;
  }

  /**
   * Throws if there is neither a free thread nor space in the queue for a password of this bucket. Call it before any
   * other work, so that rejected requests cost nothing.
   * @throws AuthError `service_unavailable`.
   */
  assertCapacity(bucket?: string): void {
    this.#pool.assertCapacity(bucket ?? SHARED_BUCKET);
  }

  /**
   * Returns the PHC string to store for a password that the policy has accepted.
   * @throws AuthError `validation_error` for a password that is too long for any policy, `service_unavailable`.
   */
  async hash(password: string, bucket?: string): Promise<string> {
    const normalized = normalizedPassword(password);
    if (normalized === undefined) throw AuthError.validation('The password is too long.');
    return this.#argon2(normalized, bucket);
  }

  async #argon2(text: string, bucket: string | undefined): Promise<string> {
    const job = { kind: 'hash', password: text, parameters: this.#parameters } as const;
    return String(await this.#pool.run(job, bucket));
  }

  /**
   * Returns the form in which a hash of another system is stored without its digest: Argon2id of that digest, with its
   * scheme, parameters and salt. A hash of Argon2, in any variant, and one that is wrapped already are returned as they are.
   * @throws AuthError `validation_error` for a hash that is not in its stored form, `service_unavailable`.
   */
  async wrap(storedHash: string, bucket?: string): Promise<string> {
    const parsed = parseStoredHash(storedHash);
    if (!parsed) throw AuthError.validation('The password hash is malformed.');
    if (parsed.argon2 !== undefined) return storedHash;
    return wrappedForm(parsed, await this.#argon2(toBase64(parsed.digest), bucket));
  }

  /**
   * Returns whether the password matches the stored hash, also one of another system. A malformed stored hash matches no
   * password, costs as much as the configured parameters and is logged.
   * @throws AuthError `service_unavailable`.
   */
  async verify(storedHash: string, password: string, bucket?: string): Promise<boolean> {
    const parsed = parseStoredHash(storedHash);
    if (parsed) return this.#matches(parsed, password, bucket);
    this.#logger.error({ length: storedHash.length }, 'A stored password hash is malformed.');
    return this.#verifyInVain(this.#decoys.configured, password, bucket);
  }

  /** Does the work for an overlong password, too, which matches nothing. */
  async #matches(storedHash: StoredHash, password: string, bucket: string | undefined): Promise<boolean> {
    const normalized = normalizedPassword(password);
    const forms = normalized === undefined ? [''] : formsOf(storedHash, password, normalized);
    const matches = await this.#pool.run({ kind: 'verify', forms, storedHash }, bucket);
    return normalized !== undefined && matches === true;
  }

  /**
   * Does the work of a verification and returns false: for an unknown email and for an account without a password, so
   * that timing does not reveal which accounts exist. An email always has the same cost, that of one of the stored hashes.
   * @throws AuthError `service_unavailable`.
   */
  verifyDecoy(password: string, email: string, bucket?: string): Promise<false> {
    return this.#verifyInVain(this.#decoys.hashFor(email), password, bucket);
  }

  /** Does the work of a verification and returns false. */
  async #verifyInVain(storedHash: string, password: string, bucket: string | undefined): Promise<false> {
    const parsed = parseStoredHash(storedHash);
    if (parsed) await this.#matches(parsed, password, bucket);
    return false;
  }

  /**
   * Reports whether the hash was made with other parameters than the configured ones, either lower or higher, or by another
   * scheme.
   */
  needsRehash(storedHash: string): boolean {
    const parsed = parsePhcString(storedHash);
    return !parsed || !hasParameters(parsed, this.#parameters);
  }

  /** Lets running jobs finish, rejects waiting ones and ends the threads. Can be called more than once. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/**
 * Returns the forms of a password to verify, in their order. Our own hashes are of the normalized form. Other systems hash
 * what was typed; a keyboard that composes letters differently may send the normalized form of it. Argon2id may be either.
 */
function formsOf({ derivation, prefix }: StoredHash, password: string, normalized: string): string[] {
  if (password === normalized) return [normalized];
  const mayBeOurs = derivation === undefined && prefix.startsWith('$argon2id$');
  return mayBeOurs ? [normalized, password] : [password, normalized];
}

function assertOptions(parameters: Argon2Parameters, ...counts: [value: number, minimum: number][]): void {
  if (!areUsableParameters(parameters)) {
    throw new TypeError('Argon2id: memory 8 KiB per lane to 1 GiB, 1 to 256 iterations, 1 to 64 lanes.');
  }
  if (counts.some(([value, minimum]) => !Number.isInteger(value) || value < minimum)) {
    throw new TypeError('PasswordHasher: workers and maxWaitMs are at least 1, maxQueue is at least 0.');
  }
}
