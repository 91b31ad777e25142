import { isUtf8 } from 'node:buffer';
import { parse as parseContentType } from 'content-type';
import { z } from 'zod';
import { AuthError } from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpRequest } from '../exchange/http-request.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const BODY_LIMIT = 100 * 1024;
/** Shorter than the response deadline: a client that stalls is at fault, not the service. */
const BODY_TIMEOUT_MS = 4_000;

/**
 * Returns the body of a request as a JSON object of clean text. If a parser of the host app has read the body, its result
 * is used: an object as is, text and bytes parsed as JSON.
 * @throws AuthError `validation_error`, or what `readBytes` throws.
 */
export async function readJsonBody(exchange: Exchange): Promise<object> {
  const { request } = exchange;
  if (request.parsedBody === undefined) assertShort(request);
  if (isOfOtherType(request)) throw notJson();
  const body = jsonIn(request.parsedBody === undefined ? await readInTime(exchange) : request.parsedBody);
  if (body === undefined) throw missingBody(request);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw malformed('The body must be a JSON object.');
  }
  return checkInput(anyJson, body);
}

/**
 * Returns the fields of a form as an object of clean text. A field that is given twice is a fault: one of them would be ignored.
 * @throws AuthError `validation_error`, or what `readBytes` throws.
 */
export async function readFormBody(exchange: Exchange): Promise<object> {
  const { request } = exchange;
  if (request.parsedBody === undefined) assertShort(request);
  if (request.hasBody && typeOf(request) !== FORM_TYPE) throw notForm();
  const body = request.parsedBody === undefined ? await readInTime(exchange) : request.parsedBody;
  if (body === undefined) throw missingBody(request);
  return checkInput(anyJson, typeof body === 'string' || body instanceof Uint8Array ? fieldsOf(body) : body);
}

function fieldsOf(body: string | Uint8Array): object {
  const bytes = Buffer.from(body);
  assertText(bytes);
  const fields = [...new URLSearchParams(bytes.toString())];
  if (new Set(fields.map(([name]) => name)).size < fields.length)
    throw malformed('The body must have each field once.');
  return Object.fromEntries(fields);
}

/** Only the text of the body is checked here. */
const anyJson = z.custom<object>();

/** Parses text or bytes, which parsers for webhooks leave; returns any other value unchanged. */
function jsonIn(body: unknown): unknown {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return body;
  const bytes = Buffer.from(body);
  assertText(bytes);
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

/** A parser of the host app may have another limit. */
function assertText(bytes: Buffer): void {
  if (bytes.length > BODY_LIMIT) throw tooLarge();
  if (!isUtf8(bytes)) throw malformed('The body must be UTF-8.');
}

/** Reports whether a request has no body, or an empty one by its length. */
export function isBodyless({ hasBody, headers }: HttpRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return !hasBody || (length === '0' && encoding === undefined);
}

/** Reads the body, unless there is none. Bytes, and not JSON: a charset has no meaning for JSON (RFC 8259 section 11). */
async function readInTime({ request, headers }: Exchange): Promise<Uint8Array | undefined> {
  if (!request.hasBody) return undefined;
  assertNotEncoded(request);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // The start of the next request on this connection is unknown.
      headers.set('Connection', 'close');
      reject(malformed('The body did not arrive in full.'));
    }, BODY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([request.readBytes(BODY_LIMIT), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects a body by its announced length: reading would take the whole body before it is rejected. */
function assertShort({ headers }: HttpRequest): void {
  if (Number(headers['content-length']) > BODY_LIMIT) throw tooLarge();
}

/** A compressed body could unpack to any size, and no client of ours needs one. */
function assertNotEncoded({ headers }: HttpRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'identity') return;
  throw malformed('Content-Encoding is not supported. Send the body without it.');
}

/** The error of a body that is too large, as the parsers of hosts throw it. */
const tooLarge = (): Error =>
  Object.assign(new Error('request entity too large'), { status: 413, type: 'entity.too.large' });

/** A parsed form is an object too, and any page can send one without a preflight. */
const isOfOtherType = (request: HttpRequest): boolean =>
  request.hasBody && typeOf(request) !== 'application/json';

const typeOf = ({ headers: { 'content-type': type } }: HttpRequest): string | undefined =>
  typeof type === 'string' ? parseContentType(type, { parameters: false }).type : undefined;

const notJson = (): AuthError =>
  AuthError.validation('Content-Type must be application/json.', { reason: 'content_type_unsupported' });

const notForm = (): AuthError =>
  AuthError.validation(`Content-Type must be ${FORM_TYPE}.`, { reason: 'content_type_unsupported' });

const malformed = (message: string): AuthError => AuthError.validation(message, { reason: 'body_malformed' });

const missingBody = (request: HttpRequest): AuthError =>
  malformed(
    isBodyless(request)
      ? 'The body must be a JSON object; it is empty.'
      : 'The body was already read and is not in req.body. Mount createAuthRouter before the middleware that reads it.',
  );
