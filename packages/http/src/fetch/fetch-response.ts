import { isStreamed, type HttpResponse } from '../exchange/http-response.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';

/** Headers of a connection, which the host makes itself. */
const OF_CONNECTIONS = new Set(['Connection', 'Transfer-Encoding']);

/** Returns a response of the Fetch API. @param gone is called when its body is no longer read. */
export function fetchResponse({ within, ...response }: HttpResponse, gone: () => void): Response {
  if (within) return within(() => fetchResponse(response, gone));
  const { status, body, until, headers } = response;
  return new Response(isStreamed(body) ? streamOf(body, until, gone) : completeOf(body), {
    status,
    headers: headersInit(headers),
  });
}

/** Returns bytes as a copy: those of a pool would be detached with it. */
const completeOf = (body: string | Uint8Array | undefined): string | Uint8Array<ArrayBuffer> | undefined =>
  body instanceof Uint8Array ? new Uint8Array(body) : body;

/** Returns the headers as a record, which hosts pass on as it is, or as pairs if a name is repeated. */
function headersInit(headers: ResponseHeaders): Record<string, string> | [name: string, value: string][] {
  const record: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (OF_CONNECTIONS.has(name)) continue;
    if (name in record) return [...headers].filter(([each]) => !OF_CONNECTIONS.has(each));
    record[name] = value;
  }
  return record;
}

/** Reads the next part only when the client has taken the last. */
function streamOf(
  body: AsyncIterable<Uint8Array>,
  until: AbortSignal | undefined,
  gone: () => void,
): ReadableStream<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  const ended = new AbortController();
  const giveUp = async (): Promise<void> => {
    ended.abort();
    gone();
    // The body reports its own failures.
    await parts.return?.().catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const end = (): void => {
          controller.error(until?.reason);
          void giveUp();
        };
        until?.addEventListener('abort', end, { signal: ended.signal });
      },
      pull: async (controller) => {
        const part = await parts.next();
        if (part.done === true) {
          ended.abort();
          controller.close();
        } else controller.enqueue(part.value);
      },
      cancel: giveUp,
    },
    { highWaterMark: 0 },
  );
}
