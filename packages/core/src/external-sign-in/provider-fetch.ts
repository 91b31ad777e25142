import { jsonDepth } from '../outbound/json-depth.js';
import { ProviderUnavailable } from './external-provider.js';

const TIMEOUT_MS = 3_000;
const MOST_BYTES = 64 * 1024;
const JSON_DEPTH = 20;

/**
 * Sends a request to a provider of the configuration, which may be on a private network. Redirects are not followed; a response
 * arrives whole within 3 seconds, has at most 64 KiB and is no error of the provider.
 * @throws ProviderUnavailable
 */
export async function providerFetch(
  url: string,
  options: Pick<RequestInit, 'method' | 'headers' | 'body'> = {},
): Promise<Response> {
  const { method = 'GET', headers, body = null } = options;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method,
      headers: headers ?? {},
      body,
      redirect: 'manual',
      signal: controller.signal,
    });
    if (response.status >= 500 || response.status === 429)
      throw new ProviderUnavailable(`The provider answered with status ${response.status}.`);
    const bytes = await readShort(response);
    const { status, statusText } = response;
    return new Response(isWithoutBody(status) ? null : bytes, {
      status,
      statusText,
      headers: response.headers,
    });
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable('The provider could not be reached, or did not answer in time.', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    // Frees the connection of a response that was not read to its end.
    controller.abort();
  }
}

async function readShort(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new ProviderUnavailable(`The provider answered with more than ${MOST_BYTES} bytes.`);
  }
  const bytes = Uint8Array.from(Buffer.concat(chunks));
  if (jsonDepth(Buffer.from(bytes).toString()) > JSON_DEPTH)
    throw new ProviderUnavailable('The provider answered with JSON that is too deep.');
  return bytes;
}

/** Statuses whose responses cannot be made with a body. */
const isWithoutBody = (status: number): boolean => status === 204 || status === 304;
