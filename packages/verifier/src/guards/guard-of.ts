import type { IncomingMessage, ServerResponse } from 'node:http';
import { responseParts } from '../http/error-response.js';
import { bearerToken } from '../tokens/bearer-token.js';
import type { VerifiedCaller } from '../tokens/verified-caller.js';
import { VerificationError } from '../verification-error.js';
import type { Verifier } from '../verifier.js';
import { rememberCaller } from './request-caller.js';
import type { VerifierGuard } from './verifier-guard.js';

/** Ids that a caller may choose: no characters that could forge a log line. */
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** Sends the response that a route of the service would send. Does nothing if a response has already been started. */
function sendRefusal(request: IncomingMessage, response: ServerResponse, error: VerificationError): void {
  if (response.headersSent) return;
  const { status, headers, body } = responseParts(error, request.headers.accept);
  response.statusCode = status;
  response.removeHeader('X-Powered-By');
  addVary(response, headers);
  for (const [name, value] of headers) response.setHeader(name, value);
  if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', requestIdOf(request));
  const bytes = new TextEncoder().encode(body);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Keeps what the app varies by, such as `Origin`. */
function addVary(response: ServerResponse, headers: Map<string, string>): void {
  const own = response.getHeader('Vary');
  if (own !== undefined) headers.set('Vary', `${String(own)}, ${headers.get('Vary') ?? ''}`);
}

function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTABLE_ID.test(sent) ? sent : globalThis.crypto.randomUUID();
}

/**
 * Returns the `Authorization` header. Node silently keeps only the first of repeated ones, while a proxy in front may
 * have checked another one, so none of them is accepted.
 * @throws VerificationError `validation_error` for repeated headers.
 */
function authorizationOf(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request;
  let value: string | undefined;
  // Names and values alternate. `headersDistinct` would copy every header for each request.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isAuthorization(rawHeaders[index])) continue;
    if (value !== undefined) {
      throw new VerificationError('validation_error', 'header: authorization is given more than once');
    }
    value = rawHeaders[index + 1];
  }
  return value;
}

const NAME = 'authorization';

const isAuthorization = (name: string | undefined): boolean =>
  name?.length === NAME.length && name.toLowerCase() === NAME;

/** Returns a middleware that authenticates the caller and asks for permission. */
export const guardOf = (verifier: Verifier, permit: (caller: VerifiedCaller) => void = () => undefined) =>
  middleware((request) =>
    withCaller(verifier, authorizationOf(request), (caller) => {
      permit(caller);
      rememberCaller(request, caller);
    }),
  );

/** Returns a middleware that authenticates the caller if credentials are present, and rejects invalid ones. */
export const optionalGuardOf = (verifier: Verifier) =>
  middleware((request) => {
    const authorization = authorizationOf(request);
    if (authorization === undefined) return undefined;
    return withCaller(verifier, authorization, (caller) => rememberCaller(request, caller));
  });

/** Calls `admit` with the caller: at once if the token is remembered, which spares each request the turns of promises. */
function withCaller(
  verifier: Verifier,
  authorization: string | undefined,
  admit: (caller: VerifiedCaller) => void,
): Promise<void> | undefined {
  const token = bearerToken(authorization);
  const known = verifier.recallToken(token);
  if (!known) return verifier.authenticateToken(token).then(admit);
  admit(known);
  return undefined;
}

/** Refusals are answered; other errors are defects and go to the error handler of the app. */
function middleware(decide: (request: IncomingMessage) => Promise<void> | undefined): VerifierGuard {
  return (request, response, next) => {
    const refuse = (error: unknown): void => {
      if (VerificationError.is(error)) sendRefusal(request, response, error);
      else next(error);
    };
    let decision: Promise<void> | undefined;
    try {
      decision = decide(request);
    } catch (error) {
      refuse(error);
      return undefined;
    }
    if (decision) return decision.then(() => next(), refuse);
    next();
    return undefined;
  };
}
