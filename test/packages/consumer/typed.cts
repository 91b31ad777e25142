// TypeScript in CommonJS: the types of ES modules are found by require() too.
import core = require('@latchkey/core');

export const isSessionGone = (error: unknown): boolean =>
  error instanceof core.AuthError && error.code === 'session_revoked';
