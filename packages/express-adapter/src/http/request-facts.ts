import type { IncomingMessage } from 'node:http';

/** What serving a request has found out about it. */
export interface RequestFacts {
  /** The pattern of its route: `/internal/users/{id}`. */
  route?: string;
  userId?: string;
  sessionId?: string;
}

/** Kept beside the request and not on it: no types of Express are touched, no names can clash. */
const known = new WeakMap<IncomingMessage, RequestFacts>();

/** Returns what is known of a request so far. */
export const factsOf = (request: IncomingMessage): Readonly<RequestFacts> => known.get(request) ?? {};

export function rememberRoute(request: IncomingMessage, route: string): void {
  known.set(request, { ...known.get(request), route });
}

/** Keeps who is calling, also when the request is denied afterwards. */
export function rememberCaller(
  request: IncomingMessage,
  { userId, sessionId }: { userId: string; sessionId: string },
): void {
  known.set(request, { ...known.get(request), userId, sessionId });
}

/** Keeps whom a response signs in, as its access token says, which was signed a moment ago. */
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
