import type { IncomingMessage } from 'node:http';

/** Route and caller of a request, as far as they are known. */
export interface RequestFacts {
  /** The pattern of its route: `/internal/users/{id}`. */
  route?: string;
  userId?: string;
  sessionId?: string;
}

/** Kept in a map, not on the request, so that types of Express are unchanged and names cannot clash. */
const known = new WeakMap<IncomingMessage, RequestFacts>();

/** Returns the facts of a request that are known so far. */
export const factsOf = (request: IncomingMessage): Readonly<RequestFacts> => known.get(request) ?? {};

export function rememberRoute(request: IncomingMessage, route: string): void {
  add(request, { route });
}

/** Records the caller, even if the request is denied afterwards. */
export function rememberCaller(
  request: IncomingMessage,
  { userId, sessionId }: { userId: string; sessionId: string },
): void {
  add(request, { userId, sessionId });
}

/** Records the user that a response signs in, read from its access token, which has just been signed. */
export function rememberSignedIn(request: IncomingMessage, result: unknown): void {
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

function add(request: IncomingMessage, facts: RequestFacts): void {
  const before = known.get(request);
  if (before) Object.assign(before, facts);
  else known.set(request, facts);
}
