import type { IncomingMessage } from 'node:http';
import { bearerToken } from '../tokens/bearer-token.js';
import type { VerifiedCaller } from '../tokens/verified-caller.js';
import { VerificationError } from '../verification-error.js';
import type { Verifier } from '../verifier.js';
import { authorizationOf } from './authorization.js';
import { rememberCaller } from './request-caller.js';
import { sendRefusal } from './send-refusal.js';
import type { VerifierGuard } from './verifier-guard.js';

/** Returns a middleware that authenticates the caller and asks for permission. */
export const guardOf = (verifier: Verifier, permit: (caller: VerifiedCaller) => void = () => undefined) =>
  middleware((request) =>
    withCaller(verifier, authorizationOf(request), (caller) => {
      permit(caller);
      rememberCaller(request, caller);
    }),
  );

/** Returns a middleware that authenticates the caller if credentials are present, and rejects invalid ones. */
export const optionalGuardOf = (verifier: Verifier) =>
  middleware((request) => {
    const authorization = authorizationOf(request);
    if (authorization === undefined) return undefined;
    return withCaller(verifier, authorization, (caller) => rememberCaller(request, caller));
  });

/** Calls `admit` with the caller: at once if the token is remembered, which spares each request the turns of promises. */
function withCaller(
  verifier: Verifier,
  authorization: string | undefined,
  admit: (caller: VerifiedCaller) => void,
): Promise<void> | undefined {
  const token = bearerToken(authorization);
  const known = verifier.recallToken(token);
  if (!known) return verifier.authenticateToken(token).then(admit);
  admit(known);
  return undefined;
}

/** Refusals are answered; other errors are defects and go to the error handler of the app. */
function middleware(decide: (request: IncomingMessage) => Promise<void> | undefined): VerifierGuard {
  return (request, response, next) => {
    const refuse = (error: unknown): void => {
      if (VerificationError.is(error)) sendRefusal(request, response, error);
      else next(error);
    };
    let decision: Promise<void> | undefined;
    try {
      decision = decide(request);
    } catch (error) {
      refuse(error);
      return undefined;
    }
    if (decision) return decision.then(() => next(), refuse);
    next();
    return undefined;
  };
}
