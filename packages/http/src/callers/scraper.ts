import type { Administrator } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { comesFromMachine, internalKey } from './internal-key.js';
import { INTERNAL_KEY_HEADER } from './machine-headers.js';

/** A client that reads the metrics. The internal key is also accepted as a Bearer token: some clients send nothing else. */
export const scraper: Caller<Administrator> = {
  ...internalKey,
  identify: (request) => internalKey.identify(comesFromMachine(request) ? request : bearerAsKey(request)),
};

function bearerAsKey(request: CallerRequest): CallerRequest {
  const [, key] = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? [];
  return { ...request, header: (name) => (name === INTERNAL_KEY_HEADER ? key : request.header(name)) };
}
