import type { Administrator } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { comesFromMachine, internalKey } from './internal-key.js';

/** A route of both tables: what a machine shows decides alone when it is there, else the Bearer rules do. */
export const machineOr = (people: Caller<Administrator>): Caller<Administrator> => ({
  security: 'internal-key-or-bearer',
  identify: (request) => doorOf(request, people).identify(request),
  permit: (administrator, request) => doorOf(request, people).permit(administrator, request),
  actorOf: (administrator) => administrator,
});

const doorOf = (request: CallerRequest, people: Caller<Administrator>): Caller<Administrator> =>
  comesFromMachine(request) ? internalKey : people;
