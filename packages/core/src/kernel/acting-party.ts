/**
 * Who acts in a session in the name of its user: a member of staff, or an actor that a machine named in free text.
 * @example
 * ```ts
 * const nameOf = ({ userId, name, sub }: ActingParty): string => name ?? userId ?? sub;
 * nameOf({ sub: 'machine:service:crm', userId: null, name: 'Support, ticket 4711' }); // → 'Support, ticket 4711'
 * ```
 */
export interface ActingParty {
  /** As in the claim `act` of the access token: the id of the member of staff, or the machine: `machine:service:crm`. */
  sub: string;
  /** The member of staff; null for an actor in free text. */
  userId: string | null;
  /** The free text; null for a member of staff. */
  name: string | null;
}
