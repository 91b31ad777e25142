import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Without a request for this long, nobody is left who has not been told. */
const QUIET_MILLISECONDS = 100;
/** Under steady traffic the telling ends after this. */
const MAX_DRAIN_MILLISECONDS = 2_000;

/**
 * Stops a server without losing a request. Closing the listener at once would reset requests that are on their way
 * over kept-alive connections; so for a moment every answer says `Connection: close`, and only then the listener goes.
 */
export class ConnectionDrain {
  #draining = false;
  #lastRequest = 0;

  /** Wraps a listener so that answers can tell clients to leave. */
  wrap(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#lastRequest = performance.now();
      if (this.#draining) response.setHeader('Connection', 'close');
      listener(request, response);
    };
  }

  /** Resolves when every request is answered, or after `timeoutMilliseconds`, which ends what is left. */
  async close(server: Server, timeoutMilliseconds: number): Promise<void> {
    this.#draining = true;
    this.#lastRequest = performance.now();
    const end = performance.now() + Math.min(MAX_DRAIN_MILLISECONDS, timeoutMilliseconds);
    while (performance.now() < end && performance.now() - this.#lastRequest < QUIET_MILLISECONDS) {
      await sleep(QUIET_MILLISECONDS / 4);
    }
    const impatience = setTimeout(() => server.closeAllConnections(), timeoutMilliseconds);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(impatience);
  }
}
