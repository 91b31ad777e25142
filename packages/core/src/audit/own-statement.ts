const KEYWORDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'VALUES', 'WITH'] as const;
const STATEMENT = new RegExp(String.raw`^(?:${KEYWORDS.join('|')})\b`, 'i');

/** Names of functions whose effect outlasts the transaction: the connection serves other requests afterwards. */
const LASTING = /\bset_config\b|\bpg_(?:try_)?advisory_lock(?:_shared)?\b/i;
const LOCAL_SETTING = /\bset_config\s*\([^]*,\s*true\s*\)/i;

/**
 * Returns why the app may not run a statement in a transaction that is not its own, and on a connection that others use after it;
 * undefined if it may.
 */
export function statementFault(text: unknown): string | undefined {
  if (typeof text !== 'string' || !STATEMENT.test(withoutLeadingComments(text))) {
    return 'trx.query runs one SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES or WITH; Latchkey ends the transaction.';
  }
  const [lasting] = LASTING.exec(text) ?? [];
  if (lasting === undefined) return undefined;
  if (lasting.toLowerCase() !== 'set_config')
    return `${lasting} outlasts the transaction; use pg_advisory_xact_lock.`;
  return LOCAL_SETTING.test(text)
    ? undefined
    : 'set_config outlasts the transaction; give it true as third value.';
}

/**
 * Returns the text from its first word on. Comments are those of PostgreSQL: blocks are nested, and a carriage return ends a line.
 * With any other rule the word that is checked would be in a comment, and another one would run.
 */
function withoutLeadingComments(text: string): string {
  let rest = text.trimStart();
  for (let end = endOfComment(rest); end > 0; end = endOfComment(rest)) rest = rest.slice(end).trimStart();
  return rest;
}

/** Returns the length of the comment with which the text begins; 0 if it begins with none, or with one that does not end. */
function endOfComment(text: string): number {
  if (text.startsWith('--')) return /^--[^\r\n]*[\r\n]/.exec(text)?.[0].length ?? 0;
  if (!text.startsWith('/*')) return 0;
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return index + mark.length;
  }
  return 0;
}
