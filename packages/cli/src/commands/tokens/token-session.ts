import type { TokenVerdict, VerifiedAccessToken } from '@latchkey/core/keys';
import type { Administration } from '@latchkey/operations';
import type { Call } from '../../runtime/call.js';
import { withAdministration } from '../../runtime/connection.js';

/** The state of a token's session, by the database. */
export interface SessionState {
  /** The reason why the session is not active; undefined if it is. */
  refusal: string | undefined;
}

/** Checks the session of a valid access token in the database. Other tokens have no session to check. */
export async function checkSession(call: Call, verdict: TokenVerdict): Promise<SessionState | undefined> {
  if (!verdict.isValid) return undefined;
  if (verdict.kind === 'service') {
    call.output.note('A service token belongs to no session: there is nothing to check.');
    return undefined;
  }
  const { accessToken } = verdict;
  let state: SessionState | undefined;
  await withAdministration(call, async ({ administration }) => {
    state = { refusal: await refusalOf(administration, accessToken) };
  });
  return state;
}

async function refusalOf(
  { sessionStatus }: Administration,
  token: VerifiedAccessToken,
): Promise<string | undefined> {
  const { AuthError } = await import('@latchkey/core');
  try {
    await sessionStatus.assertActive(token);
    return undefined;
  } catch (error) {
    // An unavailable database does not make a token invalid.
    if (!AuthError.is(error) || error.code === 'service_unavailable') throw error;
    return error.message;
  }
}
