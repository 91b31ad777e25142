/** The tests of the short form, by what they need of a binding: the others depend on the routes and the core first. */
export const SHORT_FILES = [
  // Bodies: their types, sizes and encodings, and everything that is no JSON.
  'test/e2e/malformed-input.test.ts',
  // Paths and queries as they were sent.
  'test/e2e/malformed-address.test.ts',
  // Responses without a body.
  'test/e2e/head.test.ts',
  // Bodies that are sent in parts, to clients that are slow or leave.
  'test/e2e/long-lists.test.ts',
  // Streams of events, and requests that wait.
  'test/e2e/revocation-stream.test.ts',
  // Several cookies in one response, and those of requests.
  'test/e2e/cookie-mode.test.ts',
  // Preflights and their headers.
  'test/e2e/cross-origin.test.ts',
  // Pages below a path, with their content security policy.
  'test/e2e/page-mounting.test.ts',
  // Addresses of clients, by which limits count.
  'test/e2e/login-limits.test.ts',
  'test/e2e/login.test.ts',
];
