const ARGUMENTS: Record<string, string> = {
  requireRole: ", 'PLATFORM_ADMIN'",
  requireFresh: ", '5m'",
  requireFactors: ', 2',
};

/** Returns the correct line of code. */
export const exampleOf = (name: string): string =>
  `app.get('/path', ${name}(verifier${ARGUMENTS[name] ?? ''}), handler)`;
