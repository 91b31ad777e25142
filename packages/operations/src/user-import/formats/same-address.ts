import { canonicalEmail } from '@latchkey/core/internal/users/email';

/** Compares addresses as they are stored. */
export function isSameAddress(one: string, other: string): boolean {
  const canonical = canonicalEmail(one);
  return canonical === undefined ? one === other : canonical === canonicalEmail(other);
}
