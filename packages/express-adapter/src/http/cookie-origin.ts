import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { AuthError, type Settings } from '@latchkey/core';
import { isBodyless } from './json-body.js';
import { methodOf } from './request-method.js';

const JSON_TYPE = /^application\/json[\t ]*(;|$)/i;

/**
 * Refuses a change for which a cookie speaks unless a page of ours asked for it: browsers add cookies to requests that
 * other sites start, and tell by `Origin` who started them.
 * @throws AuthError `forbidden`
 */
export function assertFromOwnPage(request: Request, http: Settings['http']): void {
  if (methodOf(request) === 'GET') return;
  assertOwnOrigin(request, http);
  assertJsonOnly(request);
}

/** @throws AuthError `forbidden` unless a page of ours asks. */
export function assertOwnOrigin({ headers: { origin } }: IncomingMessage, http: Settings['http']): void {
  if (!isOwnOrigin(origin, http)) throw foreignOrigin();
}

/**
 * Refuses to change the cookies of a browser for a page of another site. Programs that are no browser send no `Origin`.
 * @throws AuthError `forbidden`
 */
export function assertNotForeign(request: Request, http: Settings['http']): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, http)) throw foreignOrigin();
}

/**
 * A form of another site can send any body but JSON without being asked.
 * @throws AuthError `forbidden` when there is a body, or a type of one, that is not JSON.
 */
export function assertJsonOnly(request: Request): void {
  const { 'content-type': type } = request.headers;
  const isPlain = type === undefined && isBodyless(request);
  if (isPlain || (type !== undefined && JSON_TYPE.test(type))) return;
  throw AuthError.forbidden(
    'Content-Type must be application/json where a cookie signs in.',
    'content_type_not_allowed',
  );
}

/** Compared as a whole: what only begins or ends like an origin of ours is another one. */
const isOwnOrigin = (origin: string | undefined, { baseUrl, corsOrigins }: Settings['http']): boolean =>
  origin !== undefined && (origin === new URL(baseUrl).origin || corsOrigins.includes(origin));

const foreignOrigin = (): AuthError =>
  AuthError.forbidden('The Origin of this request is not allowed to use cookies here.', 'origin_not_allowed');
