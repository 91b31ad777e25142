import { isUtf8 } from 'node:buffer';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { AuthError } from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';

const BODY_LIMIT = 100 * 1024;
/** Less than the time an answer may take: a client that stalls is at fault, not the service. */
const BODY_WITHIN_MS = 4_000;

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
 * The body of a request as a JSON object of clean text. Where the host app's parser has read it before, what that made
 * of it is taken: an object as it is, text and bytes as the JSON they hold.
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

/** What is checked of it here is its text. */
const anyJson = z.custom<object>();

/** What text or bytes hold, as parsers for webhooks leave them; anything else is what it is. */
function jsonIn(body: unknown): unknown {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body;
  const bytes = Buffer.from(body);
  if (bytes.length > BODY_LIMIT) throw tooLarge();
  if (!isUtf8(bytes)) throw malformed('The body must be UTF-8.');
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw malformed('The body must be a JSON object.');
  }
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
      reject(malformed('The body did not arrive in full.'));
    }, BODY_WITHIN_MS);
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

/** A form that was parsed is an object, too; any page may send one without being asked. */
const isOfOtherType = (request: Request): boolean => request.is('application/json') === false;

const notJson = (): AuthError =>
  AuthError.validation('Content-Type must be application/json.', { reason: 'content_type_unsupported' });

const malformed = (message: string): AuthError => AuthError.validation(message, { reason: 'body_malformed' });

function missingBody(request: Request): AuthError {
  if (isOfOtherType(request)) return notJson();
  return malformed(
    isBodyless(request)
      ? 'The body must be a JSON object; it is empty.'
      : 'The body was read before it came here and is not in req.body: mount createAuthRouter before what reads it.',
  );
}
