import { REPLACED, type Result, type SessionReplacedError } from '../api/client-error.js';
import type { RequestError, RequestFunction } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';
import type { SessionManager } from '../session/session-manager.js';

export type StepUpProof = RequestInput<'POST', '/auth/step-up'>['body'];

export type StepUpResult = Result<undefined, RequestError<'POST', '/auth/step-up'> | SessionReplacedError>;

/** Sends a proof, and goes on with the access token that comes back if the session is still the one that it began with. */
export async function stepUp(
  request: RequestFunction,
  manager: SessionManager,
  body: StepUpProof,
): Promise<StepUpResult> {
  const { session: begun } = await manager.current();
  const result = await request('POST', '/auth/step-up', { body });
  if (!result.ok) return result;
  const { data, response } = result;
  const isRaised = await manager.raise(data, (session) => manager.continues(begun, { session }));
  return isRaised
    ? { ok: true, data: undefined, response }
    : { ok: false, error: { code: 'session_replaced', message: REPLACED }, response };
}
