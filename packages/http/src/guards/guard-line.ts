const ARGUMENTS: Record<string, string> = {
  requireRole: "('PLATFORM_ADMIN')",
  requireAccess: "({ module: 'invoices' })",
  requireFresh: "('5m')",
  requireFactors: '(2)',
};

/** Returns the correct line of code. */
export const guardLine = (name: string): string => {
  const guard = /^require\w+\(/.test(name) ? name : name + (ARGUMENTS[name] ?? '');
  return `app.get('/path', ${guard}, handler)`;
};
