import { AuthError, type Settings } from '@latchkey/core';
import type { HttpRequest } from '../exchange/http-request.js';
import { methodOf } from '../exchange/request-method.js';
import { isBodyless } from './json-body.js';

const JSON_TYPE = /^application\/json[\t ]*(;|$)/i;

/**
 * Rejects a change that is authenticated by a cookie unless an allowed origin requests it: browsers add cookies to requests
 * that other sites start, and name that site in `Origin`.
 * @throws AuthError `forbidden`
 */
export function assertFromOwnPage(request: HttpRequest, http: Settings['http']): void {
  if (methodOf(request) === 'GET') return;
  assertOwnOrigin(request, http);
  assertJsonOnly(request);
}

/** @throws AuthError `forbidden` unless the request comes from an allowed origin. */
export function assertOwnOrigin({ headers: { origin } }: HttpRequest, http: Settings['http']): void {
  if (!isOwnOrigin(origin, http)) throw foreignOrigin();
}

/**
 * Rejects requests of pages of other sites, which may not change cookies. Clients that are not browsers send no `Origin`.
 * @throws AuthError `forbidden`
 */
export function assertNotForeign(request: HttpRequest, http: Settings['http']): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, http)) throw foreignOrigin();
}

/**
 * Rejects bodies that are not JSON: forms of other sites can send those without a preflight.
 * @throws AuthError `forbidden` when the body or its type is not JSON.
 */
export function assertJsonOnly(request: HttpRequest): void {
  const { 'content-type': type } = request.headers;
  const isPlain = type === undefined && isBodyless(request);
  if (isPlain || (typeof type === 'string' && JSON_TYPE.test(type))) return;
  throw AuthError.forbidden(
    'Content-Type must be application/json in cookie mode.',
    'content_type_not_allowed',
  );
}

/** Compares the whole origin: a common prefix or suffix is not enough. */
const isOwnOrigin = (
  origin: string | string[] | undefined,
  { baseUrl, corsOrigins }: Settings['http'],
): boolean =>
  typeof origin === 'string' && (origin === new URL(baseUrl).origin || corsOrigins.includes(origin));

const foreignOrigin = (): AuthError =>
  AuthError.forbidden('The Origin of this request is not allowed to use cookies here.', 'origin_not_allowed');
