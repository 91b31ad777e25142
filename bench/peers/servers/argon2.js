import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id, 19 MiB, 2 passes, 1 lane: Latchkey's parameters. */
const OPTIONS = { algorithm: 2, memoryCost: 19456, timeCost: 2, parallelism: 1, outputLen: 32 };

/**
 * Allows as many hashes at once as there are cores, as Latchkey does. The library hashes in libuv's pool of four threads,
 * so the other two remain free for the rest of the process.
 */
class Slots {
  #free = availableParallelism();
  #waiting = [];

  async run(work) {
    if (this.#free === 0) await new Promise((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

const slots = new Slots();

/** The option `emailAndPassword.password` of better-auth. */
export const argon2Password = {
  hash: (password) => slots.run(() => hash(password, OPTIONS)),
  verify: ({ hash: stored, password }) => slots.run(() => verify(stored, password, OPTIONS)),
};
