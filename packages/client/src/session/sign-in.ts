import type { Result, TransportError } from '../api/client-error.js';
import type { RequestFunction } from '../api/requester.js';
import type { Schemas } from '../api/routes.js';
import type { IssuedTokens } from './stored-session.js';

/**
 * The outcome of a sign-in that the service accepted. `second_factor_required`: the first factor was right and there is
 * no session yet; `secondFactor` names the methods of the next step.
 */
export type SignInOutcome =
  | { status: 'signed_in' }
  | { status: 'second_factor_required'; secondFactor: Schemas['SecondFactorChallenge'] };

/** Functions of a sign-in: one calls the service, one keeps the tokens that it returns. */
export interface SignInDeps {
  request: RequestFunction;
  start: (tokens: IssuedTokens) => Promise<void>;
}

/** The data of the routes that issue tokens. */
type Issued = IssuedTokens | Schemas['SecondFactorRequired'];

/** The tokens of an unsuccessful result are missing; all else stays as it is. */
export async function completeSignIn<Failure extends { code: string } | TransportError>(
  result: Result<Issued, Failure>,
  start: (tokens: IssuedTokens) => Promise<void>,
): Promise<Result<SignInOutcome, Failure>> {
  if (!result.ok) return result;
  const { data } = result;
  if ('secondFactor' in data) return { ...result, data: { status: 'second_factor_required', ...data } };
  await start(data);
  return { ...result, data: { status: 'signed_in' } };
}
