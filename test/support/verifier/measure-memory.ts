import { createVerifier, type VerifierOptions } from '@latchkey/verifier';

// Prints what a verifier with the first snapshot holds, beyond one that has none.
const options = JSON.parse(process.env.OPTIONS ?? '{}') as VerifierOptions;
const collect = globalThis.gc;
if (!collect) throw new Error('start it with --expose-gc');

const used = (): number => {
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};

const idle = await createVerifier({ ...options, url: 'http://127.0.0.1:1', startStale: true });
idle.close();
const before = used();
const verifier = await createVerifier(options);
const bytes = used() - before;
process.stdout.write(JSON.stringify({ entries: verifier.status.entries, bytes }));
verifier.close();
