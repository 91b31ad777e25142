import type { IncomingMessage } from 'node:http';
import { AuthError } from '@latchkey/core';

/** Node's own limit, in entries of `rawHeaders`: names and values of a thousand headers. */
const USUAL_ENTRIES = 2_000;

/**
 * Refuses a request of which Node may have dropped headers: beyond `maxHeadersCount` it does so without a word, and a
 * second `Authorization` behind that would go unseen. Zero means that it drops none.
 * @throws AuthError `validation_error`
 */
export function assertAllHeadersSeen({ rawHeaders, socket }: IncomingMessage): void {
  const limit = limitOf(socket);
  if (limit > 0 && rawHeaders.length >= limit) throw AuthError.validation('header: too many headers');
}

/** The server that accepted a connection is known to its socket only. */
function limitOf(socket: object): number {
  const server: unknown = Reflect.get(socket, 'server');
  if (typeof server !== 'object' || server === null) return USUAL_ENTRIES;
  const count: unknown = Reflect.get(server, 'maxHeadersCount');
  return typeof count === 'number' ? count * 2 : USUAL_ENTRIES;
}
