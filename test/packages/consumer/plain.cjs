// CommonJS, without a build: Node 20.19 and newer load ES modules by require().
const { AuthError, createAuth } = require('@latchkey/core');
const { createAuthRouter, createGuards } = require('@latchkey/express-adapter');
const { checkInput, loginInput } = require('@latchkey/core/schemas');
const { createTestAuth } = require('@latchkey/testing');
const { createVerifier, VerificationError } = require('@latchkey/verifier');
const { requireAuth } = require('@latchkey/verifier/express');

const adapter = [createAuthRouter, createGuards];
const verifier = [createVerifier, VerificationError, requireAuth];
for (const each of [AuthError, createAuth, createTestAuth, ...adapter, ...verifier]) {
  if (typeof each !== 'function') throw new Error('an export is missing');
}

// What several entries share is one and the same.
try {
  checkInput(loginInput, {});
  throw new Error('an empty sign-in was taken');
} catch (error) {
  if (!(error instanceof AuthError)) throw error;
  if (error.constructor.name !== 'AuthError')
    throw new Error(`the class is called ${error.constructor.name}`);
}
