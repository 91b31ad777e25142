import type { AuthError } from '@latchkey/core';

/** The headers of a request by lower-case name, as Node.js has them: several values of one name are joined, or a list. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request of any host: what the service reads of it, and nothing of the host's own classes. */
export interface HttpRequest {
  /** In upper case, as sent. */
  readonly method: string;
  /** The path below `mountPath`, as sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without its question mark; empty if there is none. */
  readonly query: string;
  /** The path at which the host has mounted the service, without a trailing slash; empty at the root. */
  readonly mountPath: string;
  /** True if the client used HTTPS, by what the host trusts of its proxies. */
  readonly isSecure: boolean;
  /** The address of the client, by what the host trusts of its proxies. It may have a port, or be no address at all. */
  readonly address: string | undefined;
  /** The address at the other end of the connection, whatever a proxy forwarded; undefined if the host does not know it. */
  readonly peerAddress: string | undefined;
  readonly headers: RequestHeaders;
  /**
   * Returns every value of a header, by lower-case name.
   * @throws AuthError `validation_error` when the host may have dropped headers.
   */
  valuesOf(name: string): readonly string[];
  /** The reason why the headers cannot be relied on, if there is one. */
  readonly headerFault: AuthError | undefined;
  /** False if the request has no body, as far as the host knows before it is read. */
  readonly hasBody: boolean;
  /** The body as a parser of the host has left it; undefined if none has read it. */
  readonly parsedBody: unknown;
  /**
   * Reads the body; undefined if it has been read before.
   * @param limit maximum length, bytes.
   * @throws an error with the `status` 413 beyond the limit, and with the status 400 when the body ends early.
   */
  readBytes(limit: number): Promise<Uint8Array | undefined>;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** The object of the host. What is known about a request is kept with it, so every view of it shares that. */
  readonly source: object;
}
