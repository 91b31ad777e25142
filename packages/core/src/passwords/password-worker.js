// @ts-check
/**
 * Hashes and verifies passwords in a worker thread, one job at a time. Plain JavaScript, because Node 20 cannot start a
 * worker from TypeScript. The build bundles it with what it imports from this package and puts it next to the bundle.
 *
 * `@node-rs/argon2` hashes inside this thread, so on Linux the thread's priority can be lowered and requests have
 * precedence. `argon2` hashes in libuv's shared thread pool: running one job at a time still limits the number of its
 * threads in use, but their priority stays the same.
 */
import { timingSafeEqual } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { deriveDigest } from './foreign/derive-digest.js';

/**
 * @typedef {import('./argon2-parameters.js').Argon2Parameters} Argon2Parameters
 * @typedef {import('./hashing-protocol.js').HashingEngine} HashingEngine
 * @typedef {import('./hashing-protocol.js').HashingJob} HashingJob
 * @typedef {import('./hashing-protocol.js').WorkerAnswer} WorkerAnswer
 * @typedef {import('./hashing-protocol.js').WorkerReady} WorkerReady
 * @typedef {import('./hashing-protocol.js').WorkerStart} WorkerStart
 * @typedef {import('./stored-hash.js').StoredHash} StoredHash
 *
 * @typedef {object} Engine
 * @property {(password: string, parameters: Argon2Parameters, salt?: Buffer) => string | Promise<string>} hash
 * @property {(storedHash: string, password: string) => boolean | Promise<boolean>} verify
 */

/** Argon2id in the numbering of RFC 9106 section 3.1, which both libraries use. */
const ARGON2ID = 2;
const DIGEST_BYTES = 32;
/** Added to the niceness of the process, which may have been started at a lower priority. */
const NICE = 10;
const HIGHEST_NICE = 19;

/** Made with the reference implementation, with one and two lanes and non-ASCII text. */
const KNOWN_PASSWORD = 'Schlüssel 🔑 latchkey';
const KNOWN_SALT = Buffer.from('latchkey-selftst');
const KNOWN_HASHES = [
  {
    parameters: { memoryKib: 64, iterations: 2, parallelism: 1 },
    hash: '$argon2id$v=19$m=64,t=2,p=1$bGF0Y2hrZXktc2VsZnRzdA$2zLSoXAZFscA0rRjrMsyqbDf8F87ee3yNvL4Jws9R+I',
  },
  {
    parameters: { memoryKib: 64, iterations: 2, parallelism: 2 },
    hash: '$argon2id$v=19$m=64,t=2,p=2$bGF0Y2hrZXktc2VsZnRzdA$FT34HHFN0RMUVshRBetSsy3WeSyynP43O0gKpHNE3B0',
  },
];

const require = createRequire(import.meta.url);

/**
 * Loads a CommonJS library. `import` scans its source for the names of exports first, in each thread anew, which takes as
 * long as the rest of the thread's start. It remains for tracers that do not follow `createRequire`.
 * @template Library
 * @param {() => Library} byRequire
 * @param {() => Promise<Library>} byImport
 * @returns {Promise<Library>}
 */
async function load(byRequire, byImport) {
  try {
    return byRequire();
  } catch {
    return byImport();
  }
}

/** @type {Record<HashingEngine, () => Promise<Engine>>} */
const loaders = {
  '@node-rs/argon2': async () => {
    const { hashSync, verifySync } = await load(
      () => /** @type {typeof import('@node-rs/argon2')} */ (require('@node-rs/argon2')),
      () => import('@node-rs/argon2'),
    );
    return {
      hash: (password, { memoryKib, iterations, parallelism }, salt) =>
        hashSync(password, {
          algorithm: ARGON2ID,
          memoryCost: memoryKib,
          timeCost: iterations,
          parallelism,
          outputLen: DIGEST_BYTES,
          ...(salt && { salt }),
        }),
      verify: (storedHash, password) => verifySync(storedHash, password),
    };
  },
  argon2: async () => {
    const argon2 = await load(
      () => /** @type {typeof import('argon2')} */ (require('argon2')),
      async () => (await import('argon2')).default,
    );
    return {
      hash: (password, { memoryKib, iterations, parallelism }, salt) =>
        argon2.hash(password, {
          type: ARGON2ID,
          memoryCost: memoryKib,
          timeCost: iterations,
          parallelism,
          hashLength: DIGEST_BYTES,
          ...(salt && { salt }),
        }),
      verify: (storedHash, password) => argon2.verify(storedHash, password),
    };
  },
};

/**
 * Throws unless the engine reproduces and verifies the known hashes.
 * @param {Engine} engine
 */
async function assertKnownAnswers(engine) {
  for (const { parameters, hash } of KNOWN_HASHES) {
    if ((await engine.hash(KNOWN_PASSWORD, parameters, KNOWN_SALT)) !== hash) {
      throw new Error('it does not make the known hashes');
    }
    if (!(await engine.verify(hash, KNOWN_PASSWORD)) || (await engine.verify(hash, `${KNOWN_PASSWORD}!`))) {
      throw new Error('it does not verify the known hashes');
    }
  }
}

/**
 * Returns the first engine that can be loaded and passes the self-test.
 * @param {readonly HashingEngine[]} names
 */
async function firstWorkingEngine(names) {
  /** @type {string[]} */
  const passedOver = [];
  for (const name of names) {
    try {
      const engine = await loaders[name]();
      await assertKnownAnswers(engine);
      return { name, engine, passedOver };
    } catch (error) {
      passedOver.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `No Argon2 engine works here. ${passedOver.join('; ')}. Install the other one beside: npm install argon2`,
  );
}

/** Lowers the priority of this thread only. Returns false where that is not possible. */
function lowerThreadPriority() {
  if (process.platform !== 'linux') return false;
  try {
    const threadId = Number(path.basename(readlinkSync('/proc/thread-self')));
    os.setPriority(threadId, Math.min(os.getPriority() + NICE, HIGHEST_NICE));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Engine} engine
 * @param {StoredHash} storedHash
 * @param {readonly string[]} forms
 */
async function verify(engine, storedHash, forms) {
  for (const form of forms) {
    if (await matches(engine, storedHash, form)) return true;
  }
  return false;
}

/**
 * @param {Engine} engine
 * @param {StoredHash} storedHash
 * @param {string} password
 */
async function matches(engine, { argon2, derivation, digest }, password) {
  if (!derivation) return engine.verify(argon2, password);
  const derived = await deriveDigest(derivation, password);
  return argon2 === undefined
    ? timingSafeEqual(derived, digest)
    : engine.verify(argon2, derived.toString('base64').replaceAll('=', ''));
}

/**
 * @param {Engine} engine
 * @param {HashingJob} job
 * @returns {Promise<WorkerAnswer>}
 */
async function answer(engine, job) {
  try {
    const result =
      job.kind === 'hash'
        ? await engine.hash(job.password, job.parameters)
        : await verify(engine, job.storedHash, job.forms);
    return { result };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

const port = parentPort;
if (!port) throw new TypeError('password-worker.js must be started as a worker thread.');

const { engines } = /** @type {WorkerStart} */ (workerData);
const { name, engine, passedOver } = await firstWorkingEngine(engines);

port.on('message', (/** @type {HashingJob | 'stop'} */ job) => {
  if (job === 'stop') {
    port.close();
    return;
  }
  void answer(engine, job).then((reply) => port.postMessage(reply));
});

/** @type {WorkerReady} */
const ready = {
  engine: name,
  lowPriority: name === '@node-rs/argon2' && lowerThreadPriority(),
  passedOver,
};
port.postMessage(ready);
