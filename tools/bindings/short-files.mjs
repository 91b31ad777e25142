/**
 * The tests of the short form, by what they need of a binding. Streams and long lists are not among them, because
 * `test/bindings` has them on every binding; all other tests depend on the routes and the core first.
 */
export const SHORT_FILES = [
  // Bodies: their types, sizes and encodings, and everything that is no JSON.
  'test/e2e/malformed-input.test.ts',
  // Responses without a body.
  'test/e2e/head.test.ts',
  // Several cookies in one response, and those of requests.
  'test/e2e/cookie-mode.test.ts',
  // Preflights and their headers.
  'test/e2e/cross-origin.test.ts',
  // The body and the response of an ordinary request.
  'test/e2e/login.test.ts',
];
