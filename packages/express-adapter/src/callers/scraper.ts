import type { Administrator } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { comesFromMachine, INTERNAL_KEY_HEADER, internalKey } from './internal-key.js';

/** Whoever reads the metrics: like any machine, or by the internal key as a Bearer token, since some can send no other. */
export const scraper: Caller<Administrator> = {
  ...internalKey,
  identify: (request) => internalKey.identify(comesFromMachine(request) ? request : bearerAsKey(request)),
};

function bearerAsKey(request: CallerRequest): CallerRequest {
  const [, key] = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? [];
  return { ...request, header: (name) => (name === INTERNAL_KEY_HEADER ? key : request.header(name)) };
}
