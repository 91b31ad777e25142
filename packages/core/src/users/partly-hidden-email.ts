/**
 * Returns an address of which the owner recognizes their own, and from which no one else learns it: `a•••@example.com`. Of one character
 * before the `@`, nothing is left.
 */
export function partlyHiddenEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = '', ...others] = Array.from(email.slice(0, at));
  return `${others.length > 0 ? first : ''}•••${email.slice(at)}`;
}
