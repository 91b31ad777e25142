import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AuthError } from '@latchkey/core';
import { JSON_TYPE, LIST_END, LIST_START, sendData } from './envelope.js';

/** Maximum duration of sending a list, so that a client that stops reading does not hold its connection indefinitely. */
const MAX_SENDING_MS = 300_000;

/** Sends what is left of a response. Rejects, with the connection closed, when the response cannot be completed. */
export type SendSlices = () => Promise<void>;

/**
 * Sends a list that is read in slices. The first two slices are read before anything is sent, so their failures have the
 * usual response; a list of one slice is an ordinary response with its length. For a longer list this returns the function
 * that sends it: slice by slice, the next one only when the client has accepted the last.
 * @param parse parses the items of one slice, so that undeclared fields are never sent.
 */
export async function startSlicedList(
  response: ServerResponse,
  slices: AsyncIterable<unknown[]>,
  parse: (slice: unknown[]) => unknown[],
): Promise<SendSlices | undefined> {
  const reading = slices[Symbol.asyncIterator]();
  const first = await reading.next();
  const second = first.done ? first : await reading.next();
  if (second.done) {
    sendData(response, 200, first.done ? [] : parse(first.value));
    return undefined;
  }
  const read = [first.value, second.value].map(parse);
  return () => sendSlices(response, listText(read, reading, parse), reading);
}

async function sendSlices(
  response: ServerResponse,
  text: AsyncIterable<string>,
  reading: AsyncIterator<unknown>,
): Promise<void> {
  response.statusCode = 200;
  response.setHeader('Content-Type', JSON_TYPE);
  if (response.req.method === 'HEAD') {
    await reading.return?.();
    response.end();
    return;
  }
  const signal = AbortSignal.timeout(MAX_SENDING_MS);
  try {
    // On a failure the connection is closed in the middle of the body: an incomplete list cannot be parsed.
    await pipeline(Readable.from(text), response, { signal });
  } catch (error) {
    if (signal.aborted) throw AuthError.unavailable('A list was not read to its end within five minutes.');
    if (!isClientGone(error)) throw error;
  }
}

/** Yields the same text as `sendData` sends for the whole list. Ends the reading when it is no longer consumed. */
async function* listText(
  read: unknown[][],
  reading: AsyncIterator<unknown[]>,
  parse: (slice: unknown[]) => unknown[],
): AsyncGenerator<string> {
  let separator = LIST_START;
  const textOf = (slice: unknown[]): string => {
    if (slice.length === 0) return '';
    const text = separator + JSON.stringify(slice).slice(1, -1);
    separator = ',';
    return text;
  };
  try {
    for (const slice of read) yield textOf(slice);
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      yield textOf(parse(next.value));
    }
    yield separator === LIST_START ? LIST_START + LIST_END : LIST_END;
  } finally {
    await reading.return?.();
  }
}

const isClientGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
