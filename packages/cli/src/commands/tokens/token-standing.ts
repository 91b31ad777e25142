import type { Administration } from '@latchkey/core/administration';
import type { TokenVerdict, VerifiedAccessToken } from '@latchkey/core/keys';
import type { Call } from '../../runtime/call.js';
import { withAdministration } from '../../runtime/connection.js';

/** What the database says of the session of a token. */
export interface Standing {
  /** Why the session does not stand; undefined when it does. */
  refusal: string | undefined;
}

/** Asks the database, for a good access token. Others have no session to ask about. */
export async function askSession(call: Call, verdict: TokenVerdict): Promise<Standing | undefined> {
  if (!verdict.isValid) return undefined;
  if (verdict.kind === 'service') {
    call.output.note('A service token belongs to no session: there is nothing to ask the database.');
    return undefined;
  }
  const { accessToken } = verdict;
  let standing: Standing | undefined;
  await withAdministration(call, async ({ administration }) => {
    standing = { refusal: await refusalOf(administration, accessToken) };
  });
  return standing;
}

async function refusalOf(
  { sessionStanding }: Administration,
  token: VerifiedAccessToken,
): Promise<string | undefined> {
  const { AuthError } = await import('@latchkey/core');
  try {
    await sessionStanding.assertStands(token);
    return undefined;
  } catch (error) {
    // A database that is away refuses nobody.
    if (!AuthError.is(error) || error.code === 'service_unavailable') throw error;
    return error.message;
  }
}
