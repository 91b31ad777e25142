import { randomInt } from 'node:crypto';
import { isPortFree } from '../../packages/testing/src/embedded-postgres/free-port.js';

/**
 * Returns a port of the loopback address that was free a moment ago. It is below the range from which Linux takes a port for a program that
 * names none: one of those is likely to be given away before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isPortFree(port)) return port;
  }
}
