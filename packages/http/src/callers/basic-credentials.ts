import { AuthError } from '@latchkey/core';

/**
 * Returns client id and secret from HTTP Basic (RFC 7617), form-encoded as RFC 6749 section 2.3.1 requires; undefined
 * when the header is missing or uses another scheme.
 * @throws AuthError `validation_error` when the header cannot be read.
 */
export function basicCredentials(
  authorization: string | undefined,
): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  try {
    return { clientId: decodePart(id ?? ''), clientSecret: decodePart(secret.join(':')) };
  } catch {
    throw AuthError.validation('Authorization: the Basic credentials are malformed');
  }
}

const decodePart = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
