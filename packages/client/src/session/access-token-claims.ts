/** Reports whether both access tokens belong to one session of one user. */
export function isOfSameSession(one: string | undefined, other: string | undefined): boolean {
  const [{ sid, sub }, known] = [claimsOf(one), claimsOf(other)];
  return sid !== undefined && sid === known.sid && sub === known.sub;
}

/** Reads the claims without verification, which is up to the service. A text that is no token has none. */
function claimsOf(token = ''): { sid?: unknown; sub?: unknown } {
  try {
    const [, payload = ''] = token.split('.');
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object;
  } catch {
    return {};
  }
}
