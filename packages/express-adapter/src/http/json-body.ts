import { isUtf8 } from 'node:buffer';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { AuthError, findUncleanText } from '@latchkey/core';

const BODY_LIMIT = 100 * 1024;
/** Less than the time an answer may take: a client that stalls is at fault, not the service. */
const BODY_WITHIN_MILLISECONDS = 4_000;

// `inflate: false`: a compressed body could unpack to any size, and no client of ours needs one.
const parseJson: RequestHandler = json({
  limit: BODY_LIMIT,
  strict: true,
  inflate: false,
  type: 'application/json',
  verify: (_request, _response, bytes, charset) => {
    if (charset.toLowerCase() !== 'utf-8' || !isUtf8(bytes)) throw new TypeError('not UTF-8');
  },
});

/**
 * The body of a request as a JSON object of clean text. A body that the host's own parser has read is taken as
 * it is.
 * @throws AuthError `validation_error`, or what body-parser throws.
 */
export async function readJsonBody(request: Request, response: Response): Promise<object> {
  if (request.body === undefined) await parse(request, response);
  const body: unknown = request.body;
  if (body === undefined) throw AuthError.validation(missingBodyMessage(request));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw AuthError.validation('The body must be a JSON object.');
  }
  const fault = findUncleanText(body);
  if (fault !== undefined) throw AuthError.validation(fault);
  return body;
}

/** Neither a length nor chunks (RFC 9112 section 6.3): there is no body. */
export function isBodyless(request: Request): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  return length === '0' && encoding === undefined;
}

async function parse(request: Request, response: Response): Promise<void> {
  // The parser would wait for all of it before it says no.
  if (Number(request.headers['content-length']) > BODY_LIMIT) throw tooLarge();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Nobody can tell where the next request on this connection would begin.
      response.setHeader('Connection', 'close');
      reject(AuthError.validation('The body did not arrive in full.'));
    }, BODY_WITHIN_MILLISECONDS);
    parseJson(request, response, (error?: unknown) => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body could not be read'));
    });
  });
}

/** The error of body-parser for it. */
const tooLarge = (): Error =>
  Object.assign(new Error('request entity too large'), { status: 413, type: 'entity.too.large' });

function missingBodyMessage(request: Request): string {
  return request.is('application/json') === false
    ? 'Content-Type must be application/json.'
    : 'The body must be a JSON object; it is empty.';
}
