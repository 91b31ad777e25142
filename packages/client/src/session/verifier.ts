/**
 * Returns a verifier that only this client knows, and its S256 challenge (RFC 7636, section 4). Needs HTTPS or localhost.
 * @param verifier one that was made before. Defaults to a new one.
 */
export async function newVerifier(
  verifier = base64Url(crypto.getRandomValues(new Uint8Array(32))),
): Promise<{ verifier: string; challenge: string }> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64Url(new Uint8Array(digest)) };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
