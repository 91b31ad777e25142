import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { AuthError, type Settings } from '@latchkey/core';
import { isBodyless } from './json-body.js';
import { methodOf } from './request-method.js';

const JSON_TYPE = /^application\/json[\t ]*(;|$)/i;

/**
 * Rejects a change that is authenticated by a cookie unless an allowed origin requests it: browsers add cookies to requests
 * that other sites start, and name that site in `Origin`.
 * @throws AuthError `forbidden`
 */
export function assertFromOwnPage(request: Request, http: Settings['http']): void {
  if (methodOf(request) === 'GET') return;
  assertOwnOrigin(request, http);
  assertJsonOnly(request);
}

/** @throws AuthError `forbidden` unless the request comes from an allowed origin. */
export function assertOwnOrigin({ headers: { origin } }: IncomingMessage, http: Settings['http']): void {
  if (!isOwnOrigin(origin, http)) throw foreignOrigin();
}

/**
 * Rejects requests of pages of other sites, which may not change cookies. Clients that are not browsers send no `Origin`.
 * @throws AuthError `forbidden`
 */
export function assertNotForeign(request: Request, http: Settings['http']): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, http)) throw foreignOrigin();
}

/**
 * Rejects bodies that are not JSON: forms of other sites can send those without a preflight.
 * @throws AuthError `forbidden` when the body or its type is not JSON.
 */
export function assertJsonOnly(request: Request): void {
  const { 'content-type': type } = request.headers;
  const isPlain = type === undefined && isBodyless(request);
  if (isPlain || (type !== undefined && JSON_TYPE.test(type))) return;
  throw AuthError.forbidden(
    'Content-Type must be application/json in cookie mode.',
    'content_type_not_allowed',
  );
}

/** Compares the whole origin: a common prefix or suffix is not enough. */
const isOwnOrigin = (origin: string | undefined, { baseUrl, corsOrigins }: Settings['http']): boolean =>
  origin !== undefined && (origin === new URL(baseUrl).origin || corsOrigins.includes(origin));

const foreignOrigin = (): AuthError =>
  AuthError.forbidden('The Origin of this request is not allowed to use cookies here.', 'origin_not_allowed');
