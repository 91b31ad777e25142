import type { Administrator } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { comesFromMachine, internalKey } from './internal-key.js';

/** Accepts machines and users. If machine credentials are present they alone decide, otherwise the Bearer rules do. */
export const machineOr = (users: Caller<Administrator>): Caller<Administrator> => ({
  security: 'internal-key-or-bearer',
  failures: users.failures ?? [],
  identify: (request) => variantOf(request, users).identify(request),
  permit: (administrator, request) => variantOf(request, users).permit(administrator, request),
  actorOf: (administrator) => administrator,
});

const variantOf = (request: CallerRequest, users: Caller<Administrator>): Caller<Administrator> =>
  comesFromMachine(request) ? internalKey : users;
