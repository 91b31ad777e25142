import type { IncomingMessage } from 'node:http';
import { AuthError } from '@latchkey/core';

/** The default limit of Node in entries of `rawHeaders`: names and values of a thousand headers. */
const DEFAULT_ENTRIES = 2_000;

/**
 * Returns the fault of a request of which Node may have dropped headers: it does so silently beyond `maxHeadersCount`, which
 * could hide a second `Authorization`. Zero means that it drops none.
 */
export function headerFaultOf(request: IncomingMessage): AuthError | undefined {
  // Requests of tests have neither.
  const { rawHeaders = [], socket } = request as Partial<IncomingMessage>;
  const limit = socket ? limitOf(socket) : 0;
  return limit > 0 && rawHeaders.length >= limit
    ? AuthError.validation('header: too many headers')
    : undefined;
}

/** Returns the limit of the server that accepted a connection, which only the socket knows. */
function limitOf(socket: object): number {
  const server: unknown = Reflect.get(socket, 'server');
  if (typeof server !== 'object' || server === null) return DEFAULT_ENTRIES;
  const count: unknown = Reflect.get(server, 'maxHeadersCount');
  return typeof count === 'number' ? count * 2 : DEFAULT_ENTRIES;
}
