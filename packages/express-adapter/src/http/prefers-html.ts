import type { Request } from 'express';

/**
 * Reports whether the client prefers HTML to JSON (RFC 9110 section 12.5.1), as browsers do when they open an address.
 * Clients that accept everything get JSON.
 */
export const prefersHtml = (request: Request): boolean => request.accepts('json', 'html') === 'html';
