import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Tracks the responses that are due on each connection, in the order of their requests. */
export class OpenAnswers {
  readonly #open = new WeakMap<Duplex, Set<ServerResponse>>();

  /** Wraps a listener so that its responses are tracked until they are sent. */
  track(listener: RequestListener): RequestListener {
    return (request, response) => {
      const open = this.#open.get(request.socket) ?? new Set();
      this.#open.set(request.socket, open.add(response));
      response.once('close', () => open.delete(response));
      listener(request, response);
    };
  }

  /**
   * Returns the last response that must be sent before anything else may be written to the connection (RFC
   * 9112 section 9.3.2). A request that was cut off, which can only be the last, is the one that is being
   * rejected.
   */
  lastDue(socket: Duplex): ServerResponse | undefined {
    const open = [...(this.#open.get(socket) ?? [])];
    return open.findLast((answer) => answer.req.complete || answer.headersSent);
  }
}
