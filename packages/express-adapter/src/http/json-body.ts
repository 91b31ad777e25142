import { isUtf8 } from 'node:buffer';
import { raw, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { AuthError } from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';

const BODY_LIMIT = 100 * 1024;
/** Shorter than the response deadline: a client that stalls is at fault, not the service. */
const BODY_TIMEOUT_MS = 4_000;

// `inflate: false`: a compressed body could unpack to any size, and no client of ours needs one. Bytes, and not JSON: a charset has
// no meaning for JSON (RFC 8259, section 11), and the library would let it decide.
const readBytes: RequestHandler = raw({ limit: BODY_LIMIT, inflate: false, type: 'application/json' });

/**
 * Returns the body of a request as a JSON object of clean text. If a parser of the host app has read the body, its result
 * is used: an object as is, text and bytes parsed as JSON.
 * @throws AuthError `validation_error`, or what body-parser throws.
 */
export async function readJsonBody(request: Request, response: Response): Promise<object> {
  if (request.body === undefined) await parse(request, response);
  else if (isOfOtherType(request)) throw notJson();
  const body = jsonIn(request.body);
  if (body === undefined) throw missingBody(request);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw malformed('The body must be a JSON object.');
  }
  return checkInput(anyJson, body);
}

/** Only the text of the body is checked here. */
const anyJson = z.custom<object>();

/** Parses text or bytes, which parsers for webhooks leave; returns any other value unchanged. */
function jsonIn(body: unknown): unknown {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body;
  const bytes = Buffer.from(body);
  if (bytes.length > BODY_LIMIT) throw tooLarge();
  if (!isUtf8(bytes)) throw malformed('The body must be UTF-8.');
  if (bytes.length === 0) return {};
  try {
    // Removes a byte order mark.
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // A text may be what a parser of the host app has read: JSON, but no object.
    throw malformed(
      typeof body === 'string' ? 'The body must be a JSON object.' : 'The body is not valid JSON.',
    );
  }
}

/** Reports whether a request has no body: neither a length nor chunks (RFC 9112 section 6.3). */
export function isBodyless(request: Request): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  return length === '0' && encoding === undefined;
}

async function parse(request: Request, response: Response): Promise<void> {
  // The parser would read the whole body before it rejects it.
  if (Number(request.headers['content-length']) > BODY_LIMIT) throw tooLarge();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      // The start of the next request on this connection is unknown.
      response.setHeader('Connection', 'close');
      reject(malformed('The body did not arrive in full.'));
    }, BODY_TIMEOUT_MS);
    readBytes(request, response, (error?: unknown) => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body could not be read'));
    });
  });
}

/** The error that body-parser throws. */
const tooLarge = (): Error =>
  Object.assign(new Error('request entity too large'), { status: 413, type: 'entity.too.large' });

/** A parsed form is an object too, and any page can send one without a preflight. */
const isOfOtherType = (request: Request): boolean => request.is('application/json') === false;

const notJson = (): AuthError =>
  AuthError.validation('Content-Type must be application/json.', { reason: 'content_type_unsupported' });

const malformed = (message: string): AuthError => AuthError.validation(message, { reason: 'body_malformed' });

function missingBody(request: Request): AuthError {
  if (isOfOtherType(request)) return notJson();
  return malformed(
    isBodyless(request)
      ? 'The body must be a JSON object; it is empty.'
      : 'The body was already read and is not in req.body. Mount createAuthRouter before the middleware that reads it.',
  );
}
