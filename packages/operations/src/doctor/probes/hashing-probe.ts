import { unobserved } from '@latchkey/core/internal/kernel/observer';
import type { Argon2Parameters } from '@latchkey/core/internal/passwords/argon2-parameters';
import { PasswordHasher } from '@latchkey/core/internal/passwords/password-hasher';

export interface HashingFacts {
  engine: string;
  /** The time of one password hash, in a warm thread. */
  milliseconds: number;
}

const ATTEMPTS = 3;

export async function probeHashing(parameters: Argon2Parameters): Promise<HashingFacts> {
  const hasher = await PasswordHasher.start({
    observer: unobserved,
    ...parameters,
    workers: 1,
  });
  try {
    const times: number[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) times.push(await timeOf(hasher));
    // The quickest: slower ones waited for other work of the machine.
    return { engine: hasher.engine, milliseconds: Math.min(...times) };
  } finally {
    await hasher.close();
  }
}

async function timeOf(hasher: PasswordHasher): Promise<number> {
  const started = performance.now();
  await hasher.hash('a password without a user');
  return performance.now() - started;
}
