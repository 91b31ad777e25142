import type { Result } from '../api/client-error.js';
import type { RequestError, RequestFunction } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';
import { askForPasskey, type CeremonyError } from '../passkeys/passkeys.js';
import type { IssuedTokens } from '../session/stored-session.js';

interface StepUpDeps {
  request: RequestFunction;
  start: (tokens: IssuedTokens) => Promise<void>;
}

type Proof = RequestInput<'POST', '/auth/step-up'>['body'];
type StepUpError = RequestError<'POST', '/auth/step-up'>;
type PasskeyStepUpError = StepUpError | RequestError<'POST', '/auth/step-up/options'> | CeremonyError;

/**
 * Proves the identity of the signed-in user again, after `reauthentication_required`. The session goes on with a newer
 * sign-in; repeat the request afterwards.
 *
 * @example
 * const confirm = (stepUp: ClientStepUp, password: string) => stepUp.by({ password });
 */
export class ClientStepUp {
  readonly #deps: StepUpDeps;

  constructor(deps: StepUpDeps) {
    this.#deps = deps;
  }

  /** Steps up by a password, a code of an authenticator app, or a recovery code. */
  async by(proof: Proof): Promise<Result<undefined, StepUpError>> {
    const { request, start } = this.#deps;
    const result = await request('POST', '/auth/step-up', { body: proof });
    if (!result.ok) return result;
    await start(result.data);
    return { ...result, data: undefined };
  }

  /** Steps up by a passkey of the user. */
  async byPasskey(signal?: AbortSignal): Promise<Result<undefined, PasskeyStepUpError>> {
    const asked = await askForPasskey(
      () => this.#deps.request('POST', '/auth/step-up/options', signal && { signal }),
      signal,
    );
    return asked.ok ? this.by({ credential: asked.data }) : asked;
  }
}
