import type { Request } from 'express';

/** Returns the public path of the service without a trailing slash: from its public address, or else its mount path. */
export const basePathOf = (baseUrl: string, request: Request): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '') || request.baseUrl;
