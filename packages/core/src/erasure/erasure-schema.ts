import { z } from 'zod';

/**
 * The reason for erasing the personal data of a user, for the audit log. The log keeps it, so it must not name the person.
 * @example
 * ```ts
 * eraseUserInput.parse({ reason: ' request 4711 of the data protection officer ' }).reason; // → 'request 4711 of the data protection officer'
 * ```
 */
export const eraseUserInput = z.object({
  reason: z.string().trim().min(1).max(500).meta({ pattern: '\\S' }),
});

/**
 * The id of an erased user, and the time of the erasure.
 * @example
 * ```ts
 * const left = { status: 'ok', id: crypto.randomUUID(), erasedAt: '2026-11-23T12:00:00.000Z' };
 * erasedUser.parse({ ...left, email: 'ann@example.com' }); // → left
 * ```
 */
export const erasedUser = z
  .object({ status: z.literal('ok'), id: z.guid(), erasedAt: z.iso.datetime() })
  .meta({ id: 'ErasedUser' });
/**
 * The result of an erasure; a second one returns the same.
 * @example
 * ```ts
 * const lineOf = ({ id, erasedAt }: ErasedUser): string => `${id} was erased at ${erasedAt}`;
 * const { id } = await kit.user();
 * const operator = { kind: 'operator', name: 'alice' } as const;
 * lineOf(await kit.auth.admin.erasure.erase(operator, id, 'request 4711')).startsWith(id); // → true
 * ```
 */
export type ErasedUser = z.output<typeof erasedUser>;
