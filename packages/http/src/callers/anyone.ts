import type { Caller } from './caller.js';

/** Any caller: the route is public. */
export const anyone: Caller<undefined> = {
  security: 'none',
  identify: () => Promise.resolve(undefined),
  permit: () => undefined,
  actorOf: () => ({ kind: 'anonymous' }),
};
