import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that are due on each connection, in the order of their requests. */
export class OpenAnswers {
  readonly #open = new WeakMap<Duplex, Set<ServerResponse>>();

  /** Wraps a listener so that its answers are known until they are out. */
  track(listener: RequestListener): RequestListener {
    return (request, response) => {
      const open = this.#open.get(request.socket) ?? new Set();
      this.#open.set(request.socket, open.add(response));
      response.once('close', () => open.delete(response));
      listener(request, response);
    };
  }

  /**
   * Returns the last answer that must leave before anything else may be written to the connection (RFC 9112 section
   * 9.3.2). A request that ended in the middle, which can only be the last, is the one that is being refused.
   */
  lastDue(socket: Duplex): ServerResponse | undefined {
    const open = [...(this.#open.get(socket) ?? [])];
    return open.findLast((answer) => answer.req.complete || answer.headersSent);
  }
}
