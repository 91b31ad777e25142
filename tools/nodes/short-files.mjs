/**
 * The tests of the short form, by what they need of Node: these parts have changed between its majors. All other tests depend
 * on the language and on packages first.
 */
export const SHORT_FILES = [
  // What the parser of HTTP accepts, and what Node answers itself.
  'test/e2e/malformed-http.test.ts',
  'test/e2e/head.test.ts',
  // Classes of requests and responses that replace those of Node.
  'test/e2e/message-classes.test.ts',
  // Signals, exit codes and standard streams of processes.
  'test/faults/shutdown.test.ts',
  // Child processes that must not outlive ours.
  'packages/testing/src/embedded-postgres/guarded-process.test.ts',
  // Worker threads, and native code in them.
  'packages/core/src/passwords/password-hasher.test.ts',
  // Keys and signatures.
  'test/e2e/jwt.test.ts',
  // `fetch`, Web Crypto and streams of the verifier and the client.
  'test/verifier/transport.test.ts',
  'test/verifier/guards.test.ts',
  'test/client/session.test.ts',
];
