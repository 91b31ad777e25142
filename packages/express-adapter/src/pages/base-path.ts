import type { Request } from 'express';

/** Public path of the service, without a trailing slash: that of its public address, else where it is mounted. */
export const basePathOf = (baseUrl: string, request: Request): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '') || request.baseUrl;
