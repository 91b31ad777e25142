/** Account names, emails and names of people; no line breaks and no characters that imitate others. */
const OPERATOR_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@+-]{0,62}[\p{L}\p{M}\p{N}._@+-])?$/u;

/**
 * Returns true if a text may name an operator in the audit log: one line of at most 64 letters, digits,
 * spaces and `._@+-`.
 * @example
 * ```ts
 * isOperatorName('ann.lee@acme.test'); // → true
 * isOperatorName('ann\nroot'); // → false
 * ```
 */
export const isOperatorName = (text: string): boolean => OPERATOR_NAME.test(text);

/** The rule for operators' names, as text for messages. */
export const OPERATOR_NAME_RULE =
  'up to 64 letters, digits, spaces and . _ @ + -, starting with a letter or digit';
