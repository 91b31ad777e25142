/** The cost of one Argon2id hash (RFC 9106 section 3.1). */
export interface Argon2Parameters {
  /** Memory in KiB: at least 8 for each lane, at most 1,048,576 (1 GiB). */
  memoryKib: number;
  /** Passes over the memory, 1 to 256. */
  iterations: number;
  /** Lanes, 1 to 64. */
  parallelism: number;
}

// Engines allocate as much memory as a stored hash says. A corrupt row must not make them allocate terabytes.
const MAX_MEMORY_KIB = 1_048_576;
const MAX_ITERATIONS = 256;
const MAX_PARALLELISM = 64;

/** Reports whether Argon2id can run with these parameters within the limits of this service. */
export function areUsableParameters({ memoryKib, iterations, parallelism }: Argon2Parameters): boolean {
  return (
    isBetween(parallelism, 1, MAX_PARALLELISM) &&
    isBetween(iterations, 1, MAX_ITERATIONS) &&
    isBetween(memoryKib, 8 * parallelism, MAX_MEMORY_KIB)
  );
}

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
