import type { Administrator } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { INTERNAL_KEY_HEADER, internalKey } from './internal-key.js';

/** A route of both tables: when the internal key's header is there it decides alone, else the Bearer rules do. */
export const machineOr = (people: Caller<Administrator>): Caller<Administrator> => ({
  security: 'internal-key-or-bearer',
  identify: (request) => doorOf(request, people).identify(request),
  permit: (administrator, request) => doorOf(request, people).permit(administrator, request),
  actorOf: (administrator) => administrator,
});

const doorOf = (request: CallerRequest, people: Caller<Administrator>): Caller<Administrator> =>
  request.header(INTERNAL_KEY_HEADER) === undefined ? people : internalKey;
