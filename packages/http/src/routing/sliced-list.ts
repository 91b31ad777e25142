import { AuthError } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { dataResponse, JSON_TYPE } from './envelope.js';

/** The text around the items of a list, for lists that are sent in parts. */
const LIST_START = '{"success":true,"data":[';

const LIST_END = ']}';

/** Maximum duration of sending a list, so that a client that stops reading does not hold its connection indefinitely. */
const MAX_SENDING_MS = 300_000;

/**
 * Returns the response with a list that is read in slices. The first two slices are read before anything is sent, so their
 * failures have the usual response; a list of one slice is an ordinary response with its length. A longer list is sent slice by
 * slice, the next one only when the client has accepted the last.
 * @param parse parses the items of one slice, so that undeclared fields are never sent.
 */
export async function slicedList(
  exchange: Exchange,
  slices: AsyncIterable<unknown[]>,
  parse: (slice: unknown[]) => unknown[],
): Promise<HttpResponse> {
  const reading = slices[Symbol.asyncIterator]();
  const first = await reading.next();
  const second = first.done ? first : await reading.next();
  if (second.done) return dataResponse(exchange, 200, first.done ? [] : parse(first.value));
  const read = [first.value, second.value].map(parse);
  const { request, headers } = exchange;
  headers.set('Content-Type', JSON_TYPE);
  if (request.method === 'HEAD') {
    await reading.return?.();
    return { status: 200, headers };
  }
  // An incomplete list cannot be parsed, so a failure in the middle closes the connection.
  const late = new AbortController();
  const error = AuthError.unavailable('A list was not read to its end within five minutes.');
  const timer = setTimeout(() => late.abort(error), MAX_SENDING_MS).unref();
  const body = listText(
    read,
    ended(reading, () => clearTimeout(timer)),
    parse,
  );
  return { status: 200, headers, body, until: late.signal };
}

/** Returns the same reading, with a function that runs when it has ended. */
const ended = <T>(reading: AsyncIterator<T>, end: () => void): AsyncIterator<T> => ({
  next: () => reading.next(),
  return: async () => {
    end();
    return (await reading.return?.()) ?? { done: true, value: undefined };
  },
});

/** Yields the same text as `dataResponse` has for the whole list. Ends the reading when it is no longer consumed. */
async function* listText(
  read: unknown[][],
  reading: AsyncIterator<unknown[]>,
  parse: (slice: unknown[]) => unknown[],
): AsyncGenerator<Uint8Array> {
  let separator = LIST_START;
  const textOf = (slice: unknown[]): Uint8Array => {
    if (slice.length === 0) return Buffer.alloc(0);
    const text = separator + JSON.stringify(slice).slice(1, -1);
    separator = ',';
    return Buffer.from(text);
  };
  try {
    for (const slice of read) yield textOf(slice);
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      yield textOf(parse(next.value));
    }
    yield Buffer.from(separator === LIST_START ? LIST_START + LIST_END : LIST_END);
  } finally {
    await reading.return?.();
  }
}
