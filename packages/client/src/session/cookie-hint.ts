/**
 * Reports whether the browser has a session in cookies: by the cookie that scripts may read, on the host of the service
 * only. Undefined elsewhere.
 */
export function cookieHint(baseUrl: string): boolean | undefined {
  if (typeof document === 'undefined') return undefined;
  if (new URL(baseUrl, document.baseURI).hostname !== location.hostname) return undefined;
  return /(^|; )lk_state=1(;|$)/.test(document.cookie);
}
