/**
 * The tests of the short form, by what they need of Node: these parts have changed between its majors. All other tests depend
 * on the language and on packages first.
 */
export const SHORT_FILES = [
  // What the parser of HTTP accepts, and what Node answers itself.
  'test/e2e/malformed-http.test.ts',
  'test/e2e/malformed-address.test.ts',
  'test/e2e/head.test.ts',
  'test/e2e/exact-paths.test.ts',
  // Writing and reading several headers of one name.
  'test/e2e/cookie-mode.test.ts',
  // Classes of requests and responses that replace those of Node.
  'test/e2e/message-classes.test.ts',
  // Signals, exit codes and standard streams of processes.
  'test/e2e/cli-process.test.ts',
  'test/e2e/cli-service.test.ts',
  'test/faults/shutdown.test.ts',
  // Child processes that must not outlive ours.
  'packages/core/src/embedded-postgres/',
  // Worker threads, and native code in them.
  'packages/core/src/passwords/',
  // Keys and signatures.
  'test/e2e/jwt.test.ts',
  // `fetch`, Web Crypto and streams of the verifier and the client.
  'test/verifier/transport.test.ts',
  'test/verifier/tokens.test.ts',
  'test/verifier/guards.test.ts',
  'packages/verifier/',
  'test/client/requests.test.ts',
  'test/client/session.test.ts',
  'packages/client/',
];
