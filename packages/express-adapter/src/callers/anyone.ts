import type { Caller } from './caller.js';

/** A public route. */
export const anyone: Caller<undefined> = {
  security: 'none',
  identify: () => Promise.resolve(undefined),
  permit: () => undefined,
  actorOf: () => ({ kind: 'anonymous' }),
};
