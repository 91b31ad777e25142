import { guardLine } from './guard-line.js';

/** @throws TypeError for a number of factors that no sign-in can be required to have. */
export function readFactors(factors: unknown): 1 | 2 {
  if (factors === 1 || factors === 2) return factors;
  throw new TypeError(
    `requireFactors: the number of factors must be 1 or 2. Write: ${guardLine('requireFactors')}`,
  );
}
