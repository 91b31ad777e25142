import type { HttpRequest } from './http-request.js';
import { RequestMemory } from './request-memory.js';

/** Route and caller of a request, as far as they are known. */
interface RequestFacts {
  /** The pattern of its route: `/internal/users/{id}`. */
  route?: string;
  userId?: string;
  sessionId?: string;
}

/** The request by the object of its host. */
type Sourced = Pick<HttpRequest, 'source'>;

const known = new RequestMemory<RequestFacts>();

/** Returns the facts of a request that are known so far. */
export const factsOf = ({ source }: Sourced): Readonly<RequestFacts> => known.of(source) ?? {};

export function rememberRoute({ source }: Sourced, route: string): void {
  known.add(source, { route });
}

/** Records the caller, even if the request is denied afterwards. */
export function rememberCaller(
  { source }: Sourced,
  { userId, sessionId }: { userId: string; sessionId: string },
): void {
  known.add(source, { userId, sessionId });
}

/** Records the user that a response signs in, read from its access token, which has just been signed. */
export function rememberSignedIn(request: Sourced, result: unknown): void {
  const token = tokenIn(result);
  if (token === undefined) return;
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const { sub, sid } = claims as { sub: string; sid: string };
  rememberCaller(request, { userId: sub, sessionId: sid });
}

function tokenIn(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || !('accessToken' in result)) return undefined;
  return typeof result.accessToken === 'string' ? result.accessToken : undefined;
}
