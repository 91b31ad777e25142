import { z } from 'zod';
import type { Caller } from './access-token.js';
import { Refusal } from './refusal.js';

const activeSession = z.object({
  success: z.literal(true),
  data: z.object({ id: z.guid(), sessionId: z.guid() }),
});
const refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const TIMEOUT_MS = 2_000;

/**
 * Asks Latchkey about the token, for operations that must reject a revoked session.
 * @throws Refusal with Latchkey's error code, such as `session_revoked`; 503 if its response is unusable.
 */
export async function assertSessionActive(latchkeyUrl: string, token: string, caller: Caller): Promise<void> {
  const { status, body } = await ask(`${latchkeyUrl}/auth/me`, token);
  if (status === 401 || status === 403) throw asRefusal(status, body);
  // A 200 alone proves little: a proxy's error page may come with one.
  const { success, data } = activeSession.safeParse(body);
  if (status !== 200 || !success) throw Refusal.unavailable(body);
  const { id, sessionId } = data.data;
  if (id !== caller.userId || sessionId !== caller.sessionId) throw Refusal.unauthorized();
}

async function ask(url: string, token: string): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    throw Refusal.unavailable(error);
  }
}

function asRefusal(status: 401 | 403, body: unknown): Refusal {
  const { success, data } = refused.safeParse(body);
  return success ? new Refusal(status, data.error.code, data.error.message) : Refusal.unavailable(body);
}
