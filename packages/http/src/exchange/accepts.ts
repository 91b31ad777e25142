import Negotiator from 'negotiator';
import type { HttpRequest } from './http-request.js';

type Accepting = Pick<HttpRequest, 'headers'>;

/**
 * Returns the media type that the client prefers (RFC 9110 section 12.5.1); undefined if it accepts none of them.
 * @param offered media types; the first one wins a tie, and without `Accept`.
 */
export const preferredType = (request: Accepting, offered: string[]): string | undefined =>
  negotiatorOf(request).mediaType(offered);

/**
 * Returns the language that the client prefers (RFC 9110 section 12.5.4); undefined if it accepts none of them.
 * @param offered language tags; the first one wins a tie, and without `Accept-Language`.
 */
export const preferredLanguage = (request: Accepting, offered: string[]): string | undefined =>
  negotiatorOf(request).language(offered);

/**
 * Reports whether the client prefers HTML to JSON, as browsers do when they open an address. Clients that accept everything get
 * JSON.
 */
export const prefersHtml = (request: Accepting): boolean =>
  preferredType(request, ['application/json', 'text/html']) === 'text/html';

/** Of several headers with this name the parser of the host keeps one text. */
const negotiatorOf = ({ headers }: Accepting): Negotiator => new Negotiator({ headers });
