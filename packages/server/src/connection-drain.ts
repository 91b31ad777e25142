import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** After so long without a request, every client has received the close header. */
const QUIET_MS = 100;
/** Maximum duration of draining under steady traffic. */
const MAX_DRAIN_MS = 2_000;

/**
 * Stops a server without losing a request. Closing the listener at once would refuse clients whose load
 * balancer has not noticed yet, and reset requests that are on their way over kept-alive connections; so for
 * a while every response has `Connection: close`, and only then the listener is closed.
 */
export class ConnectionDrain {
  #draining = false;
  #lastRequest = 0;

  /** Wraps a listener so that responses can ask clients to close the connection. */
  wrap(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#lastRequest = performance.now();
      if (this.#draining) response.setHeader('Connection', 'close');
      listener(request, response);
    };
  }

  /** Resolves when every request is answered, or after both times, which ends the remaining ones. */
  async close(
    server: Server,
    {
      delayMs,
      timeoutMs,
    }: {
      /** Milliseconds for which new requests are still served, until load balancers have noticed. */
      delayMs: number;
      /** Milliseconds to wait for open requests after that. */
      timeoutMs: number;
    },
  ): Promise<void> {
    this.#draining = true;
    await sleep(delayMs);
    await this.#untilQuiet(timeoutMs);
    const forced = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(forced);
  }

  async #untilQuiet(timeoutMs: number): Promise<void> {
    this.#lastRequest = performance.now();
    const end = performance.now() + Math.min(MAX_DRAIN_MS, timeoutMs);
    while (performance.now() < end && performance.now() - this.#lastRequest < QUIET_MS) {
      await sleep(QUIET_MS / 4);
    }
  }
}
