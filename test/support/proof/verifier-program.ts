import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier, VerificationError, type VerifierOptions } from '@latchkey/verifier';
import { MovedClock } from '../verifier/moved-clock.js';
import { sharedNow } from './shared-clock.js';
import type { VerifierCall, VerifierCalls } from './verifier-process.js';

// A service that verifies tokens by itself, as a process of its own: it answers calls of its parent, and verifies the tokens that
// it holds all the time, as its users would have it do.
const options = JSON.parse(process.env.OPTIONS ?? '{}') as VerifierOptions;
const clock = new MovedClock();
const verifier = await createVerifier({ ...options, clock });

/** Tokens of one turn of the steady load, and the pause between two. */
const BATCH = 10;
const PAUSE_MS = 20;
const CHECK_MS = 5;

const held: string[] = [];
let verified = 0;

const codeOf = async (token: string): Promise<string> => {
  verified += 1;
  try {
    await verifier.authenticateToken(token);
    return 'accepted';
  } catch (error) {
    return VerificationError.is(error) ? error.code : String(error);
  }
};

const calls: VerifierCalls = {
  hold: async (tokens) => {
    held.push(...tokens);
    return calls.codes(tokens);
  },
  codes: async (tokens) => {
    const codes: string[] = [];
    for (const token of tokens) codes.push(await codeOf(token));
    return codes;
  },
  untilRefused: async (token) => {
    for (let acceptedAt = 0; ; acceptedAt = sharedNow()) {
      const code = await codeOf(token);
      if (code !== 'accepted') return { code, acceptedAt };
      await sleep(CHECK_MS);
    }
  },
  until: async (state) => {
    while (verifier.status.state !== state) await sleep(CHECK_MS);
    return sharedNow();
  },
  pass: (seconds) => {
    clock.pass(seconds);
    return Promise.resolve();
  },
  sleep: (seconds) => {
    clock.sleep(seconds);
    return Promise.resolve();
  },
  verified: () => Promise.resolve(verified),
};

const byName = new Map(Object.entries(calls) as [string, (argument: unknown) => Promise<unknown>][]);

process.on('message', ({ id, name, argument }: VerifierCall) => {
  byName
    .get(name)?.(argument)
    .then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0 });

for (let next = 0; ; next += BATCH) {
  await sleep(PAUSE_MS);
  if (held.length > 0) await calls.codes(held.slice(next % held.length, (next % held.length) + BATCH));
}
