import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Below the range from which Linux takes a port for a program that names none: one of those is likely to be given away before it is used. */
const LOWEST = 10_000;
const HIGHEST = 31_999;

let next = randomInt(LOWEST, HIGHEST);

/** Returns a port of the loopback address that was free a moment ago, and that this process has not returned before. */
export async function freePort() {
  for (;;) {
    const port = next;
    next = port < HIGHEST ? port + 1 : LOWEST;
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const probe = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
