// TypeScript in CommonJS: the types of ES modules are found by require() too.
import core = require('@latchkey/core');

export const isSessionGone = (error: unknown): boolean =>
  core.AuthError.is(error) && error.code === 'session_revoked';
