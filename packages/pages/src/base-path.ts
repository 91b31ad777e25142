import type { HttpRequest } from '@latchkey/http/internal';

/** Returns the public path of the service without a trailing slash: from its public address, or else its mount path. */
export const basePathOf = (baseUrl: string, { mountPath }: Pick<HttpRequest, 'mountPath'>): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '') || mountPath;
