/** Cost of a password hash in the service's default settings. */
export const ARGON2 = { memoryKib: 19456, iterations: 2, parallelism: 1 };
