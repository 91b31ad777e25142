import type { ActingParty } from './acting-party.js';

/**
 * The author of an action: a signed-in user, a machine that holds the internal key or a service token, an operator at
 * the command line, or an unknown client (a login attempt). Audit rows name the actor; rules about ranks bind users
 * only. A machine may do what its `scopes` allow; without `scopes` it may do everything, as with the internal key.
 */
export type Actor =
  | {
      kind: 'user';
      userId: string;
      /** Who acts in the session in the name of the user: the caller of a route has it. */
      act?: ActingParty | undefined;
    }
  | { kind: 'machine'; name: string; scopes?: readonly string[] }
  | { kind: 'operator'; name: string }
  | { kind: 'anonymous' };

/**
 * A machine or an operator: the key or the shell has authorised them already, and no rule about ranks binds
 * them.
 */
export type TrustedActor = Exclude<Actor, { kind: 'user' } | { kind: 'anonymous' }>;

/** Returns the actor as audit rows name it: `user`, `machine:internal-key`, `cli:alice`, `anonymous`. */
export function actorLabel(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return 'user';
    case 'machine':
      return `machine:${actor.name}`;
    case 'operator':
      return `cli:${actor.name}`;
    case 'anonymous':
      return 'anonymous';
  }
}
