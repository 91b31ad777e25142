/**
 * @throws TypeError when a guard is called by hand: `app.get(path, requireAuth(), handler)`.
 */
export function assertIsMiddlewareCall(name: string, request: unknown, next: unknown): void {
  if (typeof request === 'object' && request !== null && typeof next === 'function') return;
  throw new TypeError(`${name} is called by Express, not by you. Write: ${exampleOf(name)}`);
}

/** @throws TypeError when what makes guards is used as one: `app.get(path, requireRole, handler)`. */
export function assertIsNotMiddlewareCall(name: string, given: unknown, next: unknown): void {
  const isRequest = typeof given === 'object' && given !== null && 'headers' in given;
  if (!isRequest && typeof next !== 'function') return;
  throw new TypeError(`${name} makes a guard and is none itself. Write: ${exampleOf(name)}`);
}

const ARGUMENTS: Record<string, string> = {
  requireRole: "('PLATFORM_ADMIN')",
  requireAccess: "({ module: 'invoices' })",
  requireFresh: "('5m')",
};

/** The line as it should be. */
export const exampleOf = (name: string): string => {
  const made = /^require\w+\(/.test(name) ? name : name + (ARGUMENTS[name] ?? '');
  return `app.get('/path', ${made}, handler)`;
};
